// Whole networks as torch's exporter writes them at opset 17 and newer: batch norms inside the
// convolutions, GELU as one operator from opset 20 on, attention as one from opset 23 on. Weights
// carry their shape alone.
#pragma once

#include "predict/onnx/models_for_tests.hpp"

namespace ridge::predict {

/// He et al. 2015, table 1, with the stride in the 3x3 layer: torchvision's resnet50.
[[nodiscard]] ModelBuilder exported_resnet50(int opset);
/// Sandler et al. 2018, table 2: torchvision's mobilenet_v2.
[[nodiscard]] ModelBuilder exported_mobilenet_v2(int opset);
/// Dosovitskiy et al. 2020, base, patches of 16 x 16 of an image of 224 x 224: torchvision's
/// vit_b_16. Input [batch, 3, 224, 224].
[[nodiscard]] ModelBuilder exported_vit_b_16(int opset);
/// Devlin et al. 2018, base, with the pooler. Inputs of [batch, tokens].
[[nodiscard]] ModelBuilder exported_bert_base(int opset, std::int64_t tokens);
/// Radford et al. 2019, the smallest, with logits of every token. Input [batch, tokens].
[[nodiscard]] ModelBuilder exported_gpt2(int opset, std::int64_t tokens);

}  // namespace ridge::predict
