"""Programs of Debian 12 as they come: how to start them, which package has them, and what is known of their work.

`recipes(full=False)` is what the tests run, a second or two of work each; `full=True` is what benchmarks/measured_programs
measures. Nothing of these programs is in this repository: inputs are written here."""

import dataclasses

LAMMPS = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo_modify line one format float %.10g
run {steps}
"""
POVRAY = """#version 3.7;
global_settings { assumed_gamma 1.0 }
camera { location <0, 2, -6> look_at <0, 1, 0> }
light_source { <5, 8, -5> rgb 1 }
plane { y, 0 pigment { checker rgb 1 rgb 0.2 } finish { reflection 0.2 } }
#declare I = 0;
#while (I < 40)
  sphere { <mod(I, 8) - 4, 0.5 + int(I / 8) * 0.6, int(I / 8)>, 0.45 pigment { rgb <I / 40, 0.5, 1 - I / 40> } finish { reflection 0.3 } }
  #declare I = I + 1;
#end
"""
# Two atoms of silicon in the diamond lattice; the package quantum-espresso-data has the pseudopotential.
SILICON = """&control
 calculation = 'scf', prefix = 'silicon', pseudo_dir = '/usr/share/espresso/pseudo/', outdir = 'scratch', disk_io = 'none'
/
&system
 ibrav = 2, celldm(1) = 10.20, nat = 2, ntyp = 1, ecutwfc = {cut}
/
&electrons
 mixing_beta = 0.7, conv_thr = 1.0d-8
/
ATOMIC_SPECIES
 Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 {points} {points} {points} 1 1 1
"""
PRODUCT = "import numpy as np; n = {n}; a = np.arange(n * n, dtype=float).reshape(n, n) % 7 + 1; print(sum((a @ a).trace() for _ in range(4)))"
TRANSFORM = "import numpy as np; x = np.arange(1 << {log}) % 13; print(sum(abs(np.fft.fft(x + i)).sum() for i in range(12)))"
SOLVE = "n = {n}; a = reshape(mod((1:n*n) * 7919, 1009), n, n) + n * eye(n); x = a \\ ones(n, 1); disp(norm(x) > 0)"


@dataclasses.dataclass(frozen=True)
class Known:
    """What a textbook says of the work, and how far above and below it a right count may lie: `least` and `most` times."""

    says: str
    flops: float
    least: float
    most: float


@dataclasses.dataclass(frozen=True)
class Recipe:
    package: str
    command: tuple
    file: tuple | None = None  # name and content of what the program reads
    ranks: int = 1
    known: Known | None = None
    # Lines of its output that hold times: a regular expression.
    times: str = ""
    # A function or library that does a third of the flops at least, where the program or its libraries have names.
    works_in: str = ""


def recipes(full=False):
    def size(small, large):
        return large if full else small

    lammps = ("in.lj", LAMMPS.format(cells=size(6, 14), steps=size(50, 100)))
    silicon = ("si.in", SILICON.format(cut=size(12.0, 18.0), points=size(2, 4)))
    scene = ("+Iscene.pov", "+O-", "+FP", *size(("+W160", "+H120"), ("+W480", "+H360")), "-D", "+WT1", "-GA")
    n, log, order = size(400, 1200), size(16, 20), size(500, 1500)
    numpy = ("/usr/bin/python3", "-c")
    lammps_times = r"Loop time|CPU use|Performance|^(Pair|Neigh|Comm|Output|Modify|Other) "
    silicon_times = r"CPU|WALL|starts on|terminated on"
    run_lammps = ("lmp", "-in", "in.lj", "-log", "none")
    return {
        "lammps": Recipe("lammps", run_lammps, lammps, works_in="PairLJCut::compute", times=lammps_times),
        "lammps ranks": Recipe("lammps", run_lammps, lammps, ranks=2, works_in="PairLJCut::compute", times=lammps_times),
        "numpy product": Recipe("python3-numpy", (*numpy, PRODUCT.format(n=n)),
                                known=Known("4 products, 2 n^3 each", 4 * 2 * n**3, 1.0, 1.02)),
        "numpy transform": Recipe("python3-numpy", (*numpy, TRANSFORM.format(log=log)),
                                  known=Known("12 transforms, 5 n log2 n each", 12 * 5 * 2**log * log, 0.8, 1.6)),
        "octave": Recipe("octave", ("octave", "--norc", "--quiet", "--eval", SOLVE.format(n=order)),
                         known=Known("LU, 2/3 n^3", 2 * order**3 / 3, 1.0, 1.1)),
        "povray": Recipe("povray", ("povray", *scene), ("scene.pov", POVRAY), times="Render Date"),
        "quantum espresso": Recipe("quantum-espresso", ("pw.x", "-in", "si.in"), silicon, works_in="libfftw3", times=silicon_times),
        "quantum espresso ranks": Recipe("quantum-espresso", ("pw.x", "-in", "si.in"), silicon, ranks=2, works_in="libfftw3", times=silicon_times),
    }
