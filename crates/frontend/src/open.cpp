// Bitcode read as it is needed: a module is opened for its tables, and a function's body is read when something comes
// to it.
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"

using namespace llvm;

static char *messageOf(Error Problem) { return strdup(toString(std::move(Problem)).c_str()); }

extern "C" {

// Opens bitcode that stays where it is as long as the module lives. Null, with a message for `free`, if that fails.
// Debug information is read where an instruction names it ("importing" is LLVM's word for that).
LLVMModuleRef osier_open(LLVMContextRef Context, const char *Data, size_t Length, const char *Name, char **Message) {
  MemoryBufferRef Buffer(StringRef(Data, Length), Name);
  auto Opened =
      getLazyBitcodeModule(Buffer, *unwrap(Context), /*ShouldLazyLoadMetadata=*/true, /*IsImporting=*/true);
  Error Problem = Opened ? (*Opened)->materializeMetadata() : Opened.takeError();
  if (!Problem)
    return wrap(Opened->release());
  *Message = messageOf(std::move(Problem));
  return nullptr;
}

// Reads a function's body. Null, or a message for `free`.
char *osier_read_body(LLVMValueRef F) {
  if (Error Problem = cast<Function>(unwrap(F))->materialize())
    return messageOf(std::move(Problem));
  return nullptr;
}

// Says that a function's code is as the source has it, so that nothing in it is computed speculatively.
void osier_mark_unoptimised(LLVMValueRef F) {
  auto *Marked = cast<Function>(unwrap(F));
  Marked->removeFnAttr(Attribute::AlwaysInline);
  Marked->removeFnAttr(Attribute::MinSize);
  Marked->removeFnAttr(Attribute::OptimizeForSize);
  Marked->addFnAttr(Attribute::NoInline);
  Marked->addFnAttr(Attribute::OptimizeNone);
}

// Decides llvm.objectsize and llvm.is.constant in a function as the code generator would. A pass manager would leave
// out functions that are marked optnone, which the code generator does not.
void osier_decide_constant_intrinsics(LLVMValueRef Value) {
  auto *F = cast<Function>(unwrap(Value));
  bool Any = false;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      Any |= Call->getIntrinsicID() == Intrinsic::objectsize || Call->getIntrinsicID() == Intrinsic::is_constant;
  if (!Any)
    return;
  TargetLibraryInfoImpl Known(F->getParent()->getTargetTriple());
  TargetLibraryInfo Library(Known, F);
  lowerConstantIntrinsics(*F, Library, nullptr);
}

static void visitGlobals(const Constant *C, SmallPtrSetImpl<const Constant *> &Seen,
                         void (*Visit)(void *, LLVMValueRef), void *Data) {
  if (isa<ConstantData>(C) || !Seen.insert(C).second)
    return;
  if (isa<GlobalValue>(C)) {
    Visit(Data, wrap(const_cast<Constant *>(C)));
    return;
  }
  for (const Use &Operand : C->operands())
    if (auto *Inner = dyn_cast<Constant>(Operand))
      visitGlobals(Inner, Seen, Visit, Data);
}

// Calls `Visit` for every global that a function's body, a variable's initialiser or an alias names.
void osier_visit_references(LLVMValueRef Global, void (*Visit)(void *, LLVMValueRef), void *Data) {
  SmallPtrSet<const Constant *, 32> Seen;
  auto *V = cast<GlobalValue>(unwrap(Global));
  for (const Use &Operand : V->operands())
    if (auto *C = dyn_cast<Constant>(Operand))
      visitGlobals(C, Seen, Visit, Data);
  if (auto *F = dyn_cast<Function>(V))
    for (const Instruction &I : instructions(F))
      for (const Use &Operand : I.operands())
        if (auto *C = dyn_cast<Constant>(Operand))
          visitGlobals(C, Seen, Visit, Data);
}

// How a definition stands against others of its name: 0 is none, 1 a copy of one that is elsewhere, 2 weak, 3 common,
// 4 strong. Negative if the name means something in its module only.
int osier_definition_rank(LLVMValueRef Global) {
  auto *V = cast<GlobalValue>(unwrap(Global));
  if (V->hasLocalLinkage() || V->hasAppendingLinkage())
    return -1;
  if (V->isDeclaration())
    return 0;
  if (V->hasAvailableExternallyLinkage())
    return 1;
  if (V->hasCommonLinkage())
    return 3;
  return V->isWeakForLinker() ? 2 : 4;
}

bool osier_is_hidden(LLVMValueRef Global) { return cast<GlobalValue>(unwrap(Global))->hasHiddenVisibility(); }

bool osier_is_musl(LLVMModuleRef M) { return unwrap(M)->getTargetTriple().isMusl(); }

}
