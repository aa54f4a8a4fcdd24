#include "machine_code/x86/effects.hpp"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace ridge::machine_code::x86 {
namespace {

/// Names that end like those of floating-point instructions and compute none: integers, state of
/// the processor.
const std::set<std::string_view> kOthers{"clflush", "incsspd", "insd",   "lss",     "outsd",
                                         "pabsd",   "pmaxsd",  "pminsd", "psmash",  "pswapd",
                                         "rdsspd",  "scasd",   "wrssd",  "wrussd",  "vp4dpwssd",
                                         "seamops", "vpabsd",  "vpcmpd", "vpmaxsd", "vpminsd"};

/// Of Knights Corner, whose encoding the decoder refuses.
const std::set<std::string_view> kForeign{
    "vaddnpd",        "vaddnps",        "vaddsetsps",     "vcvtfxpntdq2ps", "vcvtfxpntudq2ps",
    "vexp223ps",      "vfixupnanpd",    "vfixupnanps",    "vfmadd233ps",    "vgmaxabsps",
    "vgmaxpd",        "vgmaxps",        "vgminpd",        "vgminps",        "vloadunpackhpd",
    "vloadunpackhps", "vloadunpacklpd", "vloadunpacklps", "vlog2ps",        "vrcp23ps",
    "vrndfxpntpd",    "vrndfxpntps",    "vrsqrt23ps",     "vscaleps",       "vsubrpd",
    "vsubrps"};

bool looks_like_floating_point(std::string_view name) {
  for (const std::string_view suffix : {"pd", "ps", "ph", "sd", "ss", "sh", "bf16"}) {
    if (name.ends_with(suffix)) {
      return true;
    }
  }
  return false;
}

/// A version of the decoder that knows more instructions fails here, not in counts.
TEST(Effects, EachFloatingPointNameIsKnown) {
  std::string unknown;
  for (int i = 1; i <= ZYDIS_MNEMONIC_MAX_VALUE; ++i) {
    const char* const name = ZydisMnemonicGetString(static_cast<ZydisMnemonic>(i));
    const Effect& effect = effect_of(static_cast<ZydisMnemonic>(i));
    if (name != nullptr && looks_like_floating_point(name) && effect.form == Form::none &&
        !effect.moves && !kOthers.contains(name) && !kForeign.contains(name)) {
      unknown += std::string(" ") + name;
    }
  }
  EXPECT_EQ(unknown, "");
}

}  // namespace
}  // namespace ridge::machine_code::x86
