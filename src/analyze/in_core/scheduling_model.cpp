#include "analyze/in_core/scheduling_model.hpp"

#include <bit>
#include <mutex>

#include <fmt/format.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/MCA/CustomBehaviour.h>
#include <llvm/MCA/InstrBuilder.h>
#include <llvm/MCA/Support.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

// One target is enough, and starting all of them takes longer than a loop.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

namespace ridge::analyze {
namespace {

constexpr const char* kTriple = "x86_64-pc-linux-gnu";
constexpr unsigned kMostUnits = 64;
/// A call's body is not looked at: LLVM's own default.
constexpr unsigned kCallLatency = 100;

const llvm::Target* target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
  });
  std::string problem;
  return llvm::TargetRegistry::lookupTarget(kTriple, problem);
}

}  // namespace

struct SchedulingModel::Parts {
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::mca::InstrumentManager> instruments;
  std::unique_ptr<llvm::mca::InstrBuilder> builder;
  std::vector<std::string> units;
  /// By LLVM's mask of a resource; a group stands for its units.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> units_of_mask;

  explicit Parts(const llvm::Target& of, std::unique_ptr<llvm::MCSubtargetInfo> cpu)
      : registers(of.createMCRegInfo(kTriple)),
        assembly(of.createMCAsmInfo(*registers, kTriple, llvm::MCTargetOptions())),
        instructions(of.createMCInstrInfo()),
        subtarget(std::move(cpu)),
        analysis(of.createMCInstrAnalysis(instructions.get())),
        context(std::make_unique<llvm::MCContext>(llvm::Triple(kTriple), assembly.get(),
                                                  registers.get(), subtarget.get())),
        disassembler(of.createMCDisassembler(*subtarget, *context)),
        instruments(std::make_unique<llvm::mca::InstrumentManager>(*subtarget, *instructions)),
        builder(std::make_unique<llvm::mca::InstrBuilder>(
            *subtarget, *instructions, *registers, analysis.get(), *instruments, kCallLatency)) {
    add_units();
  }

  void add_units() {
    const llvm::MCSchedModel& model = subtarget->getSchedModel();
    const unsigned count = model.getNumProcResourceKinds();
    llvm::SmallVector<std::uint64_t, 64> masks(count);
    llvm::mca::computeProcResourceMasks(model, masks);
    std::vector<std::uint64_t> of_resource(count, 0);
    for (unsigned i = 1; i < count; ++i) {  // 0 is none
      const llvm::MCProcResourceDesc& resource = *model.getProcResource(i);
      if (resource.SubUnitsIdxBegin != nullptr) {
        continue;
      }
      for (unsigned unit = 0; unit < resource.NumUnits && units.size() < kMostUnits; ++unit) {
        of_resource[i] |= std::uint64_t{1} << units.size();
        units.emplace_back(resource.NumUnits == 1 ? std::string(resource.Name)
                                                  : fmt::format("{}.{}", resource.Name, unit));
      }
    }
    for (unsigned i = 1; i < count; ++i) {
      const llvm::MCProcResourceDesc& resource = *model.getProcResource(i);
      for (unsigned sub = 0; resource.SubUnitsIdxBegin != nullptr && sub < resource.NumUnits;
           ++sub) {
        of_resource[i] |= of_resource[resource.SubUnitsIdxBegin[sub]];
      }
      units_of_mask.emplace_back(masks[i], of_resource[i]);
    }
  }

  [[nodiscard]] std::uint64_t units_of(std::uint64_t mask) const {
    for (const auto& [of, found] : units_of_mask) {
      if (of == mask) {
        return found;
      }
    }
    return 0;
  }

  /// What an instruction adds to the register that it reads and writes.
  [[nodiscard]] std::optional<std::int64_t> increment(const llvm::MCInst& of) const {
    const llvm::StringRef name = instructions->getName(of.getOpcode());
    if (name == "INC64r" || name == "DEC64r") {
      return name == "INC64r" ? 1 : -1;
    }
    const bool adds = name == "ADD64ri8" || name == "ADD64ri32";
    const bool subtracts = name == "SUB64ri8" || name == "SUB64ri32";
    if ((adds || subtracts) && of.getNumOperands() > 2 && of.getOperand(2).isImm()) {
      return adds ? of.getOperand(2).getImm() : -of.getOperand(2).getImm();
    }
    // destination, base, scale, index, displacement, segment
    if (name == "LEA64r" && of.getNumOperands() > 4 &&
        of.getOperand(0).getReg() == of.getOperand(1).getReg() && of.getOperand(3).getReg() == 0 &&
        of.getOperand(4).isImm()) {
      return of.getOperand(4).getImm();
    }
    return std::nullopt;
  }
};

SchedulingModel::SchedulingModel(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SchedulingModel::SchedulingModel(SchedulingModel&&) noexcept = default;
SchedulingModel& SchedulingModel::operator=(SchedulingModel&&) noexcept = default;
SchedulingModel::~SchedulingModel() = default;

std::string SchedulingModel::host() {
  return llvm::sys::getHostCPUName().str();
}

Result<SchedulingModel> SchedulingModel::of(const std::string& cpu) {
  const llvm::Target* x86 = target();
  if (x86 == nullptr) {
    return fail(ErrorCode::unavailable, "this LLVM was built without x86",
                "install the libllvm19 of the distribution");
  }
  // An unknown name would be complained of on stderr, and taken for a generic CPU.
  std::unique_ptr<llvm::MCSubtargetInfo> named(x86->createMCSubtargetInfo(kTriple, "x86-64", ""));
  if (cpu.empty() || named == nullptr || !named->isCPUStringValid(cpu)) {
    return fail(ErrorCode::bad_input, fmt::format("LLVM knows no x86 CPU {}", cpu),
                "llc -march=x86-64 -mcpu=help lists those that it knows");
  }
  named.reset(x86->createMCSubtargetInfo(kTriple, cpu, ""));
  if (!named->getSchedModel().hasInstrSchedModel()) {
    return fail(ErrorCode::unavailable, fmt::format("LLVM has no scheduling model of {}", cpu),
                "name a CPU that has one, such as sapphirerapids or znver4");
  }
  return SchedulingModel(std::make_unique<Parts>(*x86, std::move(named)));
}

ScheduledInstruction SchedulingModel::instruction(std::span<const std::uint8_t> code) {
  ScheduledInstruction found;
  llvm::MCInst instruction;
  std::uint64_t size = 0;
  if (parts_->disassembler->getInstruction(instruction, size,
                                           llvm::ArrayRef<std::uint8_t>(code.data(), code.size()),
                                           0, llvm::nulls()) != llvm::MCDisassembler::Success) {
    return found;
  }
  found.decoded = true;
  found.increment = parts_->increment(instruction);
  const llvm::SmallVector<llvm::mca::Instrument*> none;
  auto built = parts_->builder->createInstruction(instruction, none);
  if (!built) {
    llvm::consumeError(built.takeError());
    return found;
  }
  const llvm::mca::InstrDesc& description = (*built)->getDesc();
  found.scheduled = true;
  found.micro_operations = description.NumMicroOps;
  found.latency = description.MaxLatency;
  for (const auto& [mask, use] : description.Resources) {
    if (const std::uint64_t units = parts_->units_of(mask); units != 0 && use.size() != 0) {
      found.uses.push_back({units, use.size()});
    }
  }
  return found;
}

const std::vector<std::string>& SchedulingModel::units() const {
  return parts_->units;
}
unsigned SchedulingModel::issue_width() const {
  return parts_->subtarget->getSchedModel().IssueWidth;
}
unsigned SchedulingModel::reorder_buffer() const {
  const unsigned size = parts_->subtarget->getSchedModel().MicroOpBufferSize;
  return size < 2 ? 224 : size;
}

}  // namespace ridge::analyze
