//! The queue of those who want to write: one of them writes for all that are waiting.

use crate::Result;
use crate::document::Document;
use crate::signed::Signed;
use crate::verdict::{Admission, Removal};
use std::sync::{Arc, Mutex, PoisonError};

/// What somebody wants written.
pub enum Request {
    /// Documents come.
    Add {
        /// The documents.
        documents: Vec<Document>,
        /// What they are signed.
        signed: Vec<Signed>,
        /// When, in Unix seconds.
        now: i64,
    },
    /// Documents go, by id.
    Remove(Vec<String>),
    /// Documents go that are too old or too many.
    Expire {
        /// By when, in Unix seconds.
        now: i64,
    },
    /// One segment is made of all.
    Compact,
}

/// What came of it.
pub enum Answer {
    /// Of every document that came.
    Added(Vec<Admission>),
    /// Of the documents that went.
    Removed(Removal),
    /// One segment was made of all.
    Compacted,
}

/// A request on its way.
pub struct Ticket {
    request: Mutex<Option<Request>>,
    answer: Mutex<Option<Result<Answer>>>,
}

impl Ticket {
    /// The request; whoever takes it answers it.
    pub fn request(&self) -> Option<Request> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Answers it.
    pub fn tell(&self, answer: Result<Answer>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }

    /// The answer, once.
    pub fn answer(&self) -> Option<Result<Answer>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Those who wait.
#[derive(Default)]
pub struct Queue(Mutex<Vec<Arc<Ticket>>>);

impl Queue {
    /// Joins the queue.
    pub fn join(&self, request: Request) -> Arc<Ticket> {
        let ticket = Arc::new(Ticket { request: Mutex::new(Some(request)), answer: Mutex::new(None) });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&ticket));
        ticket
    }

    /// Takes all who wait, in order.
    pub fn take(&self) -> Vec<Arc<Ticket>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
