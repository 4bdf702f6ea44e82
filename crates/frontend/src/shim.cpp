// What LLVM's C API does not tell: the words of wide constants, debug records, and addresses that are sums.
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

struct OsierPlace {
  const void *File; // a DIFile, or null
  unsigned Line;
  unsigned Column;
};

struct OsierName {
  const char *Data;
  size_t Length;
};

static OsierName nameOf(StringRef Text) { return {Text.data(), Text.size()}; }

extern "C" {

// Writes the low words of an integer or float constant; returns its width, or 0 if it is neither.
unsigned osier_constant_bits(LLVMValueRef Constant, uint64_t *Words, size_t Capacity) {
  APInt Bits;
  Value *V = unwrap(Constant);
  if (auto *Int = dyn_cast<ConstantInt>(V))
    Bits = Int->getValue();
  else if (auto *Float = dyn_cast<ConstantFP>(V))
    Bits = Float->getValueAPF().bitcastToAPInt();
  else
    return 0;
  for (size_t I = 0; I < Capacity; ++I)
    Words[I] = I < Bits.getNumWords() ? Bits.getRawData()[I] : 0;
  return Bits.getBitWidth();
}

// The place that an instruction comes from; in inlined code, the place in the inlined function. A sanitizer's trap is
// "inlined" from line 0 of a function that does not exist: then it is the place that it was inlined to.
OsierPlace osier_instruction_place(LLVMValueRef Instruction) {
  DILocation *At = cast<llvm::Instruction>(unwrap(Instruction))->getDebugLoc().get();
  while (At && At->getLine() == 0 && At->getInlinedAt())
    At = At->getInlinedAt();
  if (At)
    return {At->getFile(), At->getLine(), At->getColumn()};
  return {nullptr, 0, 0};
}

OsierPlace osier_function_place(LLVMValueRef Function) {
  if (DISubprogram *Sub = cast<llvm::Function>(unwrap(Function))->getSubprogram())
    return {Sub->getFile(), Sub->getLine(), 0};
  return {nullptr, 0, 0};
}

// The source variable that lives in an alloca. False if no debug record declares one.
bool osier_alloca_variable(LLVMValueRef Alloca, OsierName *Name, OsierPlace *Place) {
  for (DbgVariableRecord *Record : findDVRDeclares(unwrap(Alloca))) {
    DILocalVariable *Variable = Record->getVariable();
    *Name = nameOf(Variable->getName());
    *Place = {Variable->getFile(), Variable->getLine(), 0};
    return true;
  }
  return false;
}

OsierPlace osier_global_place(LLVMValueRef Global) {
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  cast<GlobalVariable>(unwrap(Global))->getDebugInfo(Expressions);
  if (Expressions.empty())
    return {nullptr, 0, 0};
  DIGlobalVariable *Variable = Expressions.front()->getVariable();
  return {Variable->getFile(), Variable->getLine(), 0};
}

OsierName osier_file_name(const void *File) { return nameOf(static_cast<const DIFile *>(File)->getFilename()); }

OsierName osier_file_directory(const void *File) { return nameOf(static_cast<const DIFile *>(File)->getDirectory()); }

// A constant address as what it points into plus a number of bytes.
LLVMValueRef osier_strip_offset(LLVMModuleRef M, LLVMValueRef Address, int64_t *Offset) {
  Value *V = unwrap(Address);
  const DataLayout &DL = unwrap(M)->getDataLayout();
  if (!V->getType()->isPointerTy() || DL.getIndexTypeSizeInBits(V->getType()) != 64) {
    *Offset = 0;
    return Address;
  }
  APInt Sum(64, 0);
  Value *Base = V->stripAndAccumulateConstantOffsets(DL, Sum, /*AllowNonInbounds=*/true);
  *Offset = Sum.getSExtValue();
  return wrap(Base);
}

// The bytes of a constant array or vector of numbers; null for other constants.
const char *osier_raw_data(LLVMValueRef Constant, size_t *Length) {
  auto *Data = dyn_cast<ConstantDataSequential>(unwrap(Constant));
  if (!Data)
    return nullptr;
  StringRef Raw = Data->getRawDataValues();
  *Length = Raw.size();
  return Raw.data();
}

bool osier_is_instruction(LLVMValueRef V) { return isa<Instruction>(unwrap(V)); }

bool osier_is_optnone(LLVMValueRef F) { return cast<Function>(unwrap(F))->hasOptNone(); }

// Calls setjmp or its like.
bool osier_calls_returns_twice(LLVMValueRef F) { return cast<Function>(unwrap(F))->callsFunctionThatReturnsTwice(); }

// Sized, and of a size that does not depend on the machine: LLVM ends the process when asked for others.
bool osier_has_fixed_size(LLVMTypeRef T) { return unwrap(T)->isSized() && !unwrap(T)->isScalableTy(); }

// The triple is x86-64's, or there is none.
bool osier_is_x86_64(LLVMModuleRef M) {
  const Triple &T = unwrap(M)->getTargetTriple();
  return T.getArch() == Triple::x86_64 || T.getArch() == Triple::UnknownArch;
}

}
