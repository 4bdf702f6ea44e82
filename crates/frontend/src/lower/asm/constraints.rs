//! The constraint string of inline assembly: outputs, then inputs, in the order in which the template numbers them, and
//! the registers that the text overwrites.

use super::text::register;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constraints {
    pub operands: Vec<Constraint>,
    /// Families of registers.
    pub clobbers: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    pub role: Role,
    /// The call has the address of the operand, which lies in memory.
    pub indirect: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// In this register, or in any.
    Output(Option<String>),
    /// Whether a condition holds, such as `z`, after the last statement.
    Condition(String),
    Input(Option<String>),
    /// Lies where the output of this number does.
    Tied(usize),
}

pub fn constraints(text: &str) -> Constraints {
    let mut all = Constraints::default();
    for constraint in text.split(',').filter(|constraint| !constraint.is_empty() && !constraint.starts_with('!')) {
        if let Some(name) = constraint.strip_prefix('~') {
            all.clobbers.extend(fixed(name));
            continue;
        }
        let modifier = |letter: &char| matches!(letter, '=' | '&' | '%' | '*');
        let modifiers: String = constraint.chars().take_while(modifier).collect();
        let rest = &constraint[modifiers.len()..];
        let role = if !modifiers.contains('=') {
            match rest.parse() {
                Ok(output) => Role::Tied(output),
                Err(_) => Role::Input(fixed(rest)),
            }
        } else {
            match rest.strip_prefix("{@cc").and_then(|condition| condition.strip_suffix('}')) {
                Some(condition) => Role::Condition(condition.to_owned()),
                None => Role::Output(fixed(rest)),
            }
        };
        all.operands.push(Constraint { role, indirect: modifiers.contains('*') });
    }
    all
}

/// The register that `{name}` is; one that is no general register keeps its name.
fn fixed(constraint: &str) -> Option<String> {
    let (name, _) = constraint.strip_prefix('{')?.split_once('}')?;
    Some(register(name).map_or_else(|| name.to_owned(), |register| register.family))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(text: &str) -> Vec<Role> {
        constraints(text).operands.into_iter().map(|constraint| constraint.role).collect()
    }

    #[test]
    fn outputs_inputs_and_ties_are_told_apart() {
        let ax = || Some("ax".to_owned());
        assert_eq!(
            roles("={ax},=&r,%0,rme,{cx}I,={@ccnz}"),
            [
                Role::Output(ax()),
                Role::Output(None),
                Role::Tied(0),
                Role::Input(None),
                Role::Input(Some("cx".to_owned())),
                Role::Condition("nz".to_owned())
            ]
        );
        let indirect: Vec<bool> = constraints("=*m,r,*m").operands.iter().map(|operand| operand.indirect).collect();
        assert_eq!(indirect, [true, false, true]);
        assert_eq!(constraints("").operands, []);
    }

    #[test]
    fn clobbers_are_families() {
        let all = constraints("={eax},~{rcx},~{r11},~{memory},~{st}");
        assert_eq!(all.clobbers, ["cx", "r11", "memory", "st"]);
        assert_eq!(all.operands[0].role, Role::Output(Some("ax".to_owned())));
    }
}
