#include "render/document/run/communication_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Profile two_ranks() {
  Profile profile;
  MpiCall call;
  call.name = "MPI_Send";
  call.messages = 1;
  profile.mpi_calls = {call};
  profile.parallel.emplace().measured = 2;
  profile.machine.interconnect = Interconnect{"Open MPI v4.1.4", "", 2, 1, {}};
  return profile;
}

Prediction prediction() {
  Prediction made;
  made.communication = CommunicationBound{.messages = 12000,
                                          .bytes = 1'200'000'000,
                                          .flops_per_byte = 2.5,
                                          .bandwidth = BytesPerSecond(16e9),
                                          .latency = Seconds(0.45e-6),
                                          .roof = FlopsPerSecond(40e9),
                                          .performance = FlopsPerSecond(4e9),
                                          .least_seconds = Seconds(0.15),
                                          .transfer_seconds = Seconds(0.3)};
  return made;
}

TEST(CommunicationText, SaysDemandLinksTimeAndRoof) {
  EXPECT_THAT(
      communication_lines(two_ranks(), prediction()),
      ElementsAre(
          "Network: 1.20 GB in 12 000 messages, 2.50 flop per byte communicated.",
          "Links (Open MPI v4.1.4, measured with 2 ranks on 1 node): 450 ns a message, 8.00 GB/s "
          "from each rank while all send.",
          "At that speed the messages of a rank take at least 150 ms; it spent 300 ms in calls "
          "that send, "
          "receive or wait for messages (50 % of that time).",
          "Roof of the network: 40.0 GFlop/s; the program ran at 4.00 GFlop/s (10 %)."));
}

TEST(CommunicationText, ARoofFarAboveIsLeftOut) {
  Prediction far = prediction();
  far.communication->performance = FlopsPerSecond(3.9e7);
  EXPECT_THAT(communication_lines(two_ranks(), far), testing::SizeIs(3));
}

TEST(CommunicationText, OfRanksThatTookTurnsNothingIsSaid) {
  Profile crowded = two_ranks();
  crowded.parallel->oversubscribed = true;
  EXPECT_THAT(communication_lines(crowded, prediction()), IsEmpty());
}

TEST(CommunicationText, LinksWithinANodeAreNotThoseBetweenNodes) {
  EXPECT_THAT(communication_lines(two_ranks(), {}), ElementsAre(HasSubstr("between nodes")));
}

TEST(CommunicationText, MessagesThatNobodyWaitedForAreExplained) {
  Prediction fast = prediction();
  fast.communication->transfer_seconds = Seconds(0.1);
  EXPECT_THAT(communication_lines(two_ranks(), fast)[2], HasSubstr("while the program computes"));
}

TEST(CommunicationText, LinksThatWereNotMeasuredSayHowToMeasureThem) {
  Profile unmeasured = two_ranks();
  unmeasured.machine.interconnect.reset();
  EXPECT_THAT(communication_lines(unmeasured, {}),
              ElementsAre(HasSubstr("mpirun -n N ridge bench --mpi")));
}

TEST(CommunicationText, NothingWithoutCalls) {
  EXPECT_THAT(communication_lines({}, prediction()), IsEmpty());
  EXPECT_THAT(communication_text({}, prediction(), {}), IsEmpty());
}

}  // namespace
}  // namespace ridge::render
