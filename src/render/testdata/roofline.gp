# A roofline drawn by gnuplot (5.2 or later); all data stand in this file.
#   gnuplot FILE                                               writes roofline.svg
#   gnuplot -e "picture='fig.pdf'; terminal='pdfcairo size 8.5cm,6.5cm font \",7\"'" FILE
#   gnuplot -persist -e "picture=''; terminal='qt'" FILE       shows a window
if (!exists("terminal")) terminal = 'svg size 1000,680 font "sans,13"'
if (!exists("picture")) picture = 'roofline.svg'
eval 'set terminal ' . terminal
if (strlen(picture) > 0) { set output picture }
set termoption noenhanced
set encoding utf8
set logscale xy
set xrange [0.02:18.2595]
set yrange [2:297.99504]
set format xy '%g'
set grid xtics ytics mxtics mytics lc rgb '#d3d8dc' lw 0.6, lc rgb '#eceff1' lw 0.4
set xlabel 'Intensity [flop/byte]; all levels of the hottest 3' noenhanced
set ylabel 'Performance [GFlop/s]' noenhanced
set title 'Roofline of solver' noenhanced
set key outside bottom center horizontal noenhanced
set bmargin 7
set object rectangle from 0.02, graph 0 to 0.383569, graph 1 behind fc rgb '#edf4fa' fs solid noborder
set object rectangle from 4.56487, graph 0 to 18.2595, graph 1 behind fc rgb '#fdf3e9' fs solid noborder
set label 'AVX-512 FMA+ADD 175 GFlop/s' at graph 0.9, first 175.291 right offset 0,0.4 noenhanced font ',10'
set label 'AVX-512 FMA 117 GFlop/s' at graph 0.9, first 116.861 right offset 0,0.4 noenhanced font ',10'
set label 'AVX-512 ADD 58.4 GFlop/s' at graph 0.9, first 58.4304 right offset 0,0.4 noenhanced font ',10'
set label 'Scalar FMA 29.2 GFlop/s' at graph 0.9, first 29.2152 right offset 0,0.4 noenhanced font ',10'
set label 'Scalar ADD 14.6 GFlop/s' at graph 0.9, first 14.6076 right offset 0,0.4 noenhanced font ',10'
set label '1' at 0.287671,8.06142 center offset 0,0.9 front font ',11'
set label '2' at 0.159091,4.09357 center offset 0,0.9 front font ',11'
set label '3' at 0.25,6.89655 center offset 0,0.9 front font ',11'
set label '5' at 1.14634,75.8065 center offset 0,0.9 front font ',11'
set label '7' at 1.15789,66.6667 center offset 0,0.9 front font ',11'
$roof0 << EOD
0.02 9.14
0.383569 175.291
EOD
$roof1 << EOD
0.02 4.34
0.807794 175.291
EOD
$roof2 << EOD
0.02 2.36
1.48552 175.291
EOD
$roof3 << EOD
0.0520833 2
4.56487 175.291
EOD
$ceiling << EOD
0.383569 175.291
18.2595 175.291

EOD
$lower << EOD
0.255713 116.861
18.2595 116.861

0.127856 58.4304
18.2595 58.4304

0.0639282 29.2152
18.2595 29.2152

0.0319641 14.6076
18.2595 14.6076

EOD
$dots0 << EOD
0.10396 8.06142 0.126 0x7a1029
0.0714286 4.09357 0.08274 0xbf3a1f
0.121212 6.89655 0.02806 0xe8802a
1.14634 75.8065 0.05 0xe8802a
1.15789 66.6667 0.02661 0xf4c04e
EOD
$dots1 << EOD
0.257669 8.06142 0.126 0x7a1029
0.12963 4.09357 0.08274 0xbf3a1f
0.235294 6.89655 0.02806 0xe8802a
EOD
$dots2 << EOD
0.276316 8.06142 0.126 0x7a1029
0.145833 4.09357 0.08274 0xbf3a1f
0.242424 6.89655 0.02806 0xe8802a
EOD
$dots3 << EOD
0.287671 8.06142 0.4202 0x7a1029
0.159091 4.09357 0.2758 0xbf3a1f
0.25 6.89655 0.09355 0xe8802a
EOD
$joins << EOD
0.10396 8.06142
0.257669 8.06142
0.276316 8.06142
0.287671 8.06142

0.0714286 4.09357
0.12963 4.09357
0.145833 4.09357
0.159091 4.09357

0.121212 6.89655
0.235294 6.89655
0.242424 6.89655
0.25 6.89655

1.14634 75.8065

1.15789 66.6667

EOD
$whiskers << EOD
0.287671 8.06142 7.94229 8.18418
0.159091 4.09357 4.03307 4.15591
0.25 6.89655 6.79463 7.00158
1.14634 75.8065 74.6862 76.9609
1.15789 66.6667 65.6814 67.6819
EOD
plot \
  $roof0 with lines lw 2.4 lc rgb '#0072b2' title 'L1 457 GB/s', \
  $roof1 with lines lw 2.4 lc rgb '#009e73' title 'L2 217 GB/s', \
  $roof2 with lines lw 2.4 lc rgb '#b8860b' title 'L3 118 GB/s', \
  $roof3 with lines lw 2.4 lc rgb '#d55e00' title 'DRAM 38.4 GB/s', \
  $ceiling with lines lw 2.4 lc rgb '#1d2328' notitle, \
  $lower with lines dt 2 lw 1 lc rgb '#1d2328' notitle, \
  $whiskers with yerrorbars pt 0 lw 0.8 lc rgb '#5b6570' notitle, \
  $joins with lines lw 0.8 lc rgb '#7a858e' notitle, \
  $dots0 using 1:2:(0.9 + 1.8*sqrt($3)):4 with points pt 9 ps variable lc rgb variable title 'dots at L1', \
  $dots1 using 1:2:(0.9 + 1.8*sqrt($3)):4 with points pt 13 ps variable lc rgb variable title 'dots at L2', \
  $dots2 using 1:2:(0.9 + 1.8*sqrt($3)):4 with points pt 5 ps variable lc rgb variable title 'dots at L3', \
  $dots3 using 1:2:(0.9 + 1.8*sqrt($3)):4 with points pt 7 ps variable lc rgb variable title 'dots at DRAM', \
  1/0 with points pt 7 ps 1.2 lc rgb '#f6eab0' title 'below 1 % of the time', \
  1/0 with points pt 7 ps 1.2 lc rgb '#f4c04e' title '1 to 3 % of the time', \
  1/0 with points pt 7 ps 1.2 lc rgb '#e8802a' title '3 to 10 % of the time', \
  1/0 with points pt 7 ps 1.2 lc rgb '#bf3a1f' title '10 to 30 % of the time', \
  1/0 with points pt 7 ps 1.2 lc rgb '#7a1029' title '30 % and more of the time'
if (strlen(picture) > 0) { set output }
