#include "core/value/projection.hpp"

namespace ridge {

std::string_view to_string(CoresThere cores) {
  switch (cores) {
    case CoresThere::as_here:
      return "as_here";
    case CoresThere::whole:
      return "whole";
    case CoresThere::chosen:
      break;
  }
  return "chosen";
}

}  // namespace ridge
