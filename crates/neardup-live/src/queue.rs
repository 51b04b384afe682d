//! The queue of those who want to write: one of them writes for all that are waiting.

use crate::document::Document;
use crate::signed::Signed;
use crate::verdict::{Admission, Removal};
use crate::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

/// Those who wait, while one of them writes.
#[derive(Default)]
pub struct Queue(Mutex<Line>);

#[derive(Default)]
struct Line {
    /// Whether it is somebody's turn.
    is_served: bool,
    waiting: Vec<Arc<Ticket>>,
}

/// A request on its way.
struct Ticket {
    request: Mutex<Option<Request>>,
    news: Mutex<News>,
    told: Condvar,
}

/// What the one who waits is told.
enum News {
    Nothing,
    Turn,
    Answer(Result<Answer>),
}

/// What waiting came to.
pub enum Joined<'a> {
    /// Another answered.
    Answered(Result<Answer>),
    /// The turn to answer all who wait, oneself included.
    Turn(Turn<'a>),
}

/// The turn to answer; nobody else has it until it is dropped, and then the next one does.
pub struct Turn<'a> {
    queue: &'a Queue,
    own: Arc<Ticket>,
    tickets: Vec<Arc<Ticket>>,
}

impl Queue {
    /// Waits until the request was answered, or until it is the turn of this one. Who was answered is off at once, and never
    /// stands in the way of the next turn.
    pub fn join(&self, request: Request) -> Joined<'_> {
        let own = Arc::new(Ticket { request: Mutex::new(Some(request)), news: Mutex::new(News::Nothing), told: Condvar::new() });
        {
            let mut line = lock(&self.0);
            line.waiting.push(Arc::clone(&own));
            if !std::mem::replace(&mut line.is_served, true) {
                own.tell(News::Turn);
            }
        }
        match own.news() {
            News::Answer(answer) => Joined::Answered(answer),
            _ => Joined::Turn(Turn { queue: self, own, tickets: std::mem::take(&mut lock(&self.0).waiting) }),
        }
    }
}

impl Turn<'_> {
    /// The requests, in order; they are taken once.
    pub fn requests(&self) -> Vec<Request> {
        self.tickets.iter().filter_map(|ticket| lock(&ticket.request).take()).collect()
    }

    /// Answers each of them, in order, and gives one's own answer.
    pub fn answer(mut self, answers: Vec<Result<Answer>>) -> Result<Answer> {
        self.tickets.drain(..).zip(answers).for_each(|(ticket, answer)| ticket.tell(News::Answer(answer)));
        match self.own.news() {
            News::Answer(answer) => answer,
            _ => Err(unanswered()),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Left over only when whoever has the turn panics.
        self.tickets.iter().for_each(|ticket| ticket.tell(News::Answer(Err(unanswered()))));
        let mut line = lock(&self.queue.0);
        match line.waiting.first() {
            Some(next) => next.tell(News::Turn),
            None => line.is_served = false,
        }
    }
}

impl Ticket {
    fn tell(&self, news: News) {
        *lock(&self.news) = news;
        self.told.notify_one();
    }

    /// Waits for news.
    fn news(&self) -> News {
        let quiet = |news: &mut News| matches!(news, News::Nothing);
        let mut news = self.told.wait_while(lock(&self.news), quiet).unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut news, News::Nothing)
    }
}

fn unanswered() -> Error {
    Error::Usage("the request was not answered".to_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
