import { expect, it } from 'vitest';

import type { Profile } from '../data/page';
import { mpi_share, mpi_table } from './mpi';

const text = (cell: string | { text: string }) => (typeof cell === 'string' ? cell : cell.text);

const profile = {
  program: { argv: ['./a'], wall_seconds: 10 },
  processes: [{ argv: ['mpirun'] }, { argv: ['./a'], mpi_seconds: 2 }, { argv: ['./a'], mpi_seconds: 3 }],
  regions: [
    { id: 1, name: 'exchange', file: 'src/halo.c', line: 12 },
    { id: 2, name: 'residual' },
  ],
  mpi_calls: [
    { name: 'MPI_Recv', region: 1, calls: 1000, bytes: 8000, seconds: 3, waiting_seconds: 2 },
    { name: 'MPI_Recv', region: 2, calls: 1000, bytes: 2000, seconds: 1, waiting_seconds: 1 },
    { name: 'MPI_Bcast', calls: 2, seconds: 1 },
  ],
} as unknown as Profile;

it('functions are summed over their callers, the most time first', () => {
  expect(mpi_table(profile)?.rows.map((row) => row.map(text))).toEqual([
    ['MPI_Recv', '2000', '10.0 kB', '5.00 B', '4.00 s', '75 %', 'exchange (halo.c:12) 75 %, residual 25 %'],
    ['MPI_Bcast', '2', '-', '-', '1.00 s', '-', ''],
  ]);
  expect(mpi_share(profile)).toBe('25 % of the time of 2 processes; 60 % of it waiting; of 20 % waiting is not told apart');
});

it('start and end are no messages', () => {
  const start = ['MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'].map((name) => ({ name, calls: 2, seconds: 4 }));
  const processes = [{ argv: ['./a'], mpi_seconds: 8 }, { argv: ['./a'], mpi_seconds: 9 }];
  const mpi_calls = [...(profile.mpi_calls ?? []), ...start];
  expect(mpi_share({ ...profile, processes, mpi_calls } as unknown as Profile)).toBe(
    '25 % of the time of 2 processes, and 60 % in MPI_Init and MPI_Finalize; 60 % of it waiting; of 20 % waiting is not told apart',
  );
  expect(mpi_share({ ...profile, processes, mpi_calls: start } as unknown as Profile)).toBe(
    '0 % of the time of 2 processes, and 85 % in MPI_Init and MPI_Finalize',
  );
});

it('little is not worth a word', () => {
  const [receive, other] = profile.mpi_calls ?? [];
  const little = ['MPI_Init', 'MPI_Bcast'].map((name) => ({ name, calls: 2, seconds: 0.1 }));
  const processes = [{ argv: ['./a'], mpi_seconds: 4.4 }, { argv: ['./a'], mpi_seconds: 0 }];
  expect(mpi_share({ ...profile, processes, mpi_calls: [receive, other, ...little] } as unknown as Profile)).toBe(
    '21 % of the time of 2 processes; 73 % of it waiting',
  );
});

it('without calls there is no table', () => {
  expect(mpi_table({ ...profile, mpi_calls: undefined })).toBeUndefined();
});
