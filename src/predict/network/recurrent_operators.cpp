// Recurrent cells. Per step, sequence, and direction: every gate is a product of the input and of
// the hidden state with its weights; then element-wise work on the hidden size h.
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;

struct Cell {
  std::uint64_t gates;
  std::uint64_t elementwise;  ///< flop per element of the hidden state, activations included
  std::uint64_t exponentials;
  std::uint64_t tangents;
  std::string_view activations;  ///< of one direction
};

// sigmoid = 1 / (1 + exp(-x)): 2 flop and a call of exp.
constexpr Cell kLstm{4, 3 * 2 + 3 + 1, 3, 2,
                     "Sigmoid,Tanh,Tanh"};  // 3 sigmoids; c = f c + i g; h = o tanh(c)
constexpr Cell kGru{3, 2 * 2 + 1 + 1 + 1 + 2, 2, 1,
                    "Sigmoid,Tanh"};  // 2 sigmoids; r h; h = (1 - z) n + z h
constexpr Cell kRnn{1, 0, 0, 1, "Tanh"};

/// Of other activation functions the work is not known.
bool has_usual_activations(const OperatorView& view, const Cell& cell) {
  const std::string given = view.text("activations", cell.activations);
  const std::string usual(cell.activations);
  return given == usual || given == usual + "," + usual;
}

Work recurrent(const OperatorView& view, const Cell& cell, bool has_peepholes) {
  const auto weights = view.input_shape(1);     // [directions, gates h, in]
  const auto recurrence = view.input_shape(2);  // [directions, gates h, h]
  const auto data = view.input_shape(0);        // [steps, batch, in] in either order of the first
  if (weights.size() != 3 || recurrence.size() != 3 || data.size() != 3 ||
      !has_usual_activations(view, cell)) {
    return std::nullopt;
  }
  const Count steps = Count(data[0]) * data[1] * weights[0];
  const Count hidden = recurrence[2];
  Count per_step = 2 * Count(cell.gates) * hidden * (Count(weights[2]) + hidden);
  if (view.input(3) != nullptr) {
    per_step += Count(cell.gates) * hidden;
  }
  per_step += Count(cell.elementwise) * hidden;
  if (has_peepholes && view.input(7) != nullptr) {
    per_step += 2 * Count(3) * hidden;
  }
  OperatorWork work{steps * per_step, 0, {{"tanh", steps * cell.tangents * hidden}}};
  if (cell.exponentials > 0) {
    work.calls.emplace_back("exp", steps * cell.exponentials * hidden);
  }
  return work;
}

Work lstm(const OperatorView& view) {
  return recurrent(view, kLstm, true);
}
Work gru(const OperatorView& view) {
  return recurrent(view, kGru, false);
}
Work rnn(const OperatorView& view) {
  return recurrent(view, kRnn, false);
}

}  // namespace

std::vector<OperatorRow> recurrent_operators() {
  constexpr auto kind = LayerKind::product;
  return {
      {"GRU", kind, Moves::whole, gru,
       "per step, sequence and direction: 6 h (in + h) + 9 h, + 3 h with a bias"},
      {"LSTM", kind, Moves::whole, lstm,
       "per step, sequence and direction: 8 h (in + h) + 10 h, + 4 h with a bias, + 6 h with "
       "peepholes"},
      {"RNN", kind, Moves::whole, rnn,
       "per step, sequence and direction: 2 h (in + h), + h with a bias"},
  };
}

}  // namespace ridge::predict
