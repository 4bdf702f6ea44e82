pub fn tidy(_d: &mut super::Draft, _m: &mut osier_ir::Module, _id: osier_ir::FuncId) {}
