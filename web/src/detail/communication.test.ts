import { expect, it } from 'vitest';

import type { Profile } from '../data/page';
import { communication_text } from './communication';

const communication = {
  messages: 12000, bytes: 1.2e9, flops_per_byte: 2.5, bandwidth: 16e9, latency: 0.45e-6,
  roof: 40e9, performance: 4e9, least_seconds: 0.15, transfer_seconds: 0.3,
};
const profile = {
  processes: [],
  parallel: { ranks: 2, measured: 2 },
  machine: { interconnect: { library: 'Open MPI v4.1.4', ranks: 2, nodes: 1 } },
  mpi_calls: [{ name: 'MPI_Send', calls: 1, messages: 1, seconds: 1 }],
  communication,
} as unknown as Profile;

it('says demand, links, least time and roof, as the terminal does', () => {
  expect(communication_text(profile)).toBe(
    'Network: 1.20 GB in 12000 messages, 2.50 flop per byte communicated. '
    + 'Links (Open MPI v4.1.4, measured with 2 ranks on 1 node): 450 ns a message, 8.00 GB/s from each rank while all send. '
    + 'At that speed the messages of a rank take at least 150 ms; it spent 300 ms in calls that send, receive or wait for messages (50 % of that time). '
    + 'Roof of the network: 40.0 GFlop/s; the program ran at 4.00 GFlop/s (10 %).');
});

it('without links it says how to measure them', () => {
  expect(communication_text({ ...profile, communication: undefined, machine: {} } as unknown as Profile)).toContain('mpirun -n N ridge bench --mpi');
});

it('explains a least time above what was measured', () => {
  const fast = { ...communication, transfer_seconds: 0.1, roof: undefined };
  const text = communication_text({ ...profile, communication: fast } as unknown as Profile);
  expect(text).toContain('while the program computes');
  expect(text).not.toContain('Roof');
});

it('without calls there is nothing', () => {
  expect(communication_text({ ...profile, mpi_calls: undefined } as unknown as Profile)).toBeUndefined();
});
