// What the links between ranks allow a program, in sentences (as render/document/run/communication_text).
import { to_number } from '../data/count';
import type { Profile } from '../data/page';
import type { CommunicationBound, Interconnect } from '../data/stored';
import { number, percent, si } from '../format';

function time_sentence({ least_seconds: least, transfer_seconds: took }: CommunicationBound): string {
  const start = `At that speed the messages of a rank take at least ${si(least, 's')}`;
  if (took === undefined) {
    return `${start}.`;
  }
  const beside = `${start}; it spent ${si(took, 's')} in calls that send, receive or wait for messages`;
  if (least > took) {
    return `${beside}: messages travel while the program computes, or the links were slower when they were measured.`;
  }
  return took > 0 ? `${beside} (${percent(least / took)} of that time).` : `${beside}.`;
}

function links_sentence(bound: CommunicationBound, links: Interconnect, ranks: number): string {
  return `Links (${links.library}, measured with ${links.ranks} ranks on ${links.nodes} node${links.nodes === 1 ? '' : 's'}): ${si(bound.latency, 's')} a message, ${si(bound.bandwidth / ranks, 'B/s')} from each rank while all send.`;
}

function roof_sentence({ roof, performance }: CommunicationBound): string[] {
  // A roof a thousand times above the program tells nothing but that.
  if (roof === undefined || (performance !== undefined && performance < 1e-3 * roof)) {
    return [];
  }
  const ran = performance === undefined ? '' : `; the program ran at ${si(performance, 'Flop/s')} (${percent(performance / roof)})`;
  return [`Roof of the network: ${si(roof, 'Flop/s')}${ran}.`];
}

/// undefined where no calls of MPI were recorded.
export function communication_text(profile: Profile): string | undefined {
  const { communication: bound, machine: { interconnect: links } } = profile;
  const ranks = profile.parallel?.measured ?? profile.processes.filter(({ mpi_seconds }) => mpi_seconds !== undefined).length;
  if (profile.mpi_calls === undefined || profile.parallel?.oversubscribed || ranks < 2) {
    return undefined;
  }
  if (bound === undefined && links !== undefined) {
    const has_messages = profile.mpi_calls.some(({ messages }) => messages !== undefined && to_number(messages) > 0);
    return has_messages ? 'The links between nodes were not measured: ridge bench --mpi with ranks on several nodes does.' : undefined;
  }
  if (bound === undefined || links === undefined) {
    return 'The links between ranks were not measured: mpirun -n N ridge bench --mpi does, and then this page says how long these messages take at least.';
  }
  const intensity = bound.flops_per_byte === undefined ? '' : `, ${number(bound.flops_per_byte)} flop per byte communicated`;
  return [
    `Network: ${si(to_number(bound.bytes), 'B')} in ${to_number(bound.messages)} messages${bound.partial ? ' and calls of unknown size' : ''}${intensity}.`,
    links_sentence(bound, links, ranks),
    time_sentence(bound),
    ...roof_sentence(bound),
  ].join(' ');
}
