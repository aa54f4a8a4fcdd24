// Data that only move, and the same bytes under another shape.
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

std::optional<OperatorWork> none(const OperatorView& /*view*/) {
  return OperatorWork{};
}

}  // namespace

std::vector<OperatorRow> movement_operators() {
  std::vector<OperatorRow> rows;
  const auto add = [&](std::initializer_list<std::string_view> names, LayerKind kind, Moves moves,
                       std::string_view formula) {
    for (const std::string_view name : names) {
      rows.push_back({name, kind, moves, none, formula});
    }
  };
  add({"Concat", "DepthToSpace", "Expand", "Pad", "ReverseSequence", "ScatterElements", "ScatterND",
       "SpaceToDepth", "Split", "Tile", "Transpose", "Trilu", "OneHot", "EyeLike"},
      LayerKind::movement, Moves::whole, "0: a copy");
  add({"Gather", "GatherElements", "GatherND", "Slice", "Compress"}, LayerKind::movement,
      Moves::result, "0: reads of its data what it writes, and the indices");
  add({"ConstantOfShape", "Range"}, LayerKind::movement, Moves::output_only, "0: only writes");
  add({"Constant", "Dropout", "Flatten", "Identity", "Reshape", "Shape", "Size", "Squeeze",
       "Unsqueeze"},
      LayerKind::view, Moves::nothing, "0: the same bytes under another shape");
  return rows;
}

}  // namespace ridge::predict
