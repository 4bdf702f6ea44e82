//! From window number to object: a radix tree of fixed depth whose nodes are shared between forked states.
//!
//! Made for this purpose because every concrete load and store goes through it: a lookup is two shifts and three
//! loads, a fork copies one pointer for every 1,024 windows, and a write after a fork copies two nodes of 32 slots.

use crate::Object;
use std::rc::Rc;

const FAN_BITS: u32 = 5;
const FAN: usize = 1 << FAN_BITS;
const LOW: u32 = FAN as u32 - 1;

#[derive(Clone, Default)]
struct Leaf([Option<Rc<Object>>; FAN]);

#[derive(Clone, Default)]
struct Middle([Option<Rc<Leaf>>; FAN]);

/// A sparse vector of objects indexed by window.
#[derive(Clone, Default)]
pub(crate) struct Windows {
    top: Vec<Option<Rc<Middle>>>,
}

impl Windows {
    #[inline]
    pub fn get(&self, window: u32) -> Option<&Object> {
        let middle = self.top.get((window >> (2 * FAN_BITS)) as usize)?.as_deref()?;
        let leaf = middle.0[((window >> FAN_BITS) & LOW) as usize].as_deref()?;
        leaf.0[(window & LOW) as usize].as_deref()
    }

    pub fn get_shared(&self, window: u32) -> Option<&Rc<Object>> {
        let middle = self.top.get((window >> (2 * FAN_BITS)) as usize)?.as_deref()?;
        let leaf = middle.0[((window >> FAN_BITS) & LOW) as usize].as_deref()?;
        leaf.0[(window & LOW) as usize].as_ref()
    }

    /// The object to write to: copied first if another state shares it.
    #[inline]
    pub fn get_mut(&mut self, window: u32) -> Option<&mut Object> {
        let middle = self.top.get_mut((window >> (2 * FAN_BITS)) as usize)?.as_mut()?;
        let leaf = Rc::make_mut(middle).0[((window >> FAN_BITS) & LOW) as usize].as_mut()?;
        let object = Rc::make_mut(leaf).0[(window & LOW) as usize].as_mut()?;
        Some(Rc::make_mut(object))
    }

    pub fn set(&mut self, window: u32, object: Option<Rc<Object>>) {
        let top = (window >> (2 * FAN_BITS)) as usize;
        if top >= self.top.len() {
            self.top.resize(top + 1, None);
        }
        let middle = Rc::make_mut(self.top[top].get_or_insert_default());
        let leaf = Rc::make_mut(middle.0[((window >> FAN_BITS) & LOW) as usize].get_or_insert_default());
        leaf.0[(window & LOW) as usize] = object;
    }

    /// All objects with their windows, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Object)> {
        self.top.iter().enumerate().flat_map(|(i, middle)| {
            middle.as_deref().into_iter().flat_map(move |middle| {
                middle.0.iter().enumerate().flat_map(move |(j, leaf)| {
                    leaf.as_deref().into_iter().flat_map(move |leaf| {
                        leaf.0.iter().enumerate().filter_map(move |(k, object)| {
                            let window = ((i << (2 * FAN_BITS)) | (j << FAN_BITS) | k) as u32;
                            object.as_deref().map(|object| (window, object))
                        })
                    })
                })
            })
        })
    }
}
