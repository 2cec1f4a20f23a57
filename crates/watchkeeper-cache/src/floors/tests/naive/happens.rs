//! What happens: at the server, in the copy, to own writes, and to questions.

use super::*;

impl Naive {
    // ---- the server --------------------------------------------------------------------------------

    pub(super) fn head(&self) -> u64 {
        self.server.len() as u64
    }

    /// What there was of an object at a version, and since which.
    pub(super) fn state(&self, version: u64, key: &ObjectKey) -> Option<(Tiny, bool)> {
        let until = usize::try_from(version).unwrap();
        let last = self.server[..until].iter().rposition(|change| change.key == *key)?;
        let (uid, is_in) = self.server[last].now.clone()?;
        let (namespace, name) = (key.namespace.to_string(), key.name.to_string());
        Some((Tiny { namespace, name, uid, version: (last + 1).to_string() }, is_in))
    }

    pub(super) fn selected(&self, version: u64, key: &ObjectKey) -> Option<Tiny> {
        self.state(version, key).filter(|(_, is_in)| *is_in).map(|(object, _)| object)
    }

    pub(super) fn keys(&self) -> BTreeSet<ObjectKey> {
        self.server.iter().map(|change| change.key.clone()).collect()
    }

    pub(super) fn put(&mut self, key: &ObjectKey, is_in: bool) -> Tiny {
        let life = self.state(self.head(), key).map(|(object, _)| object.uid);
        let life = life.unwrap_or_else(|| {
            self.lives += 1;
            format!("life-{}", self.lives)
        });
        self.server.push(Change { key: key.clone(), now: Some((life, is_in)) });
        self.state(self.head(), key).unwrap().0
    }

    /// The life that is over.
    pub(super) fn end(&mut self, key: &ObjectKey) -> Option<String> {
        let (object, _) = self.state(self.head(), key)?;
        self.server.push(Change { key: key.clone(), now: None });
        Some(object.uid)
    }

    // ---- the copy ----------------------------------------------------------------------------------

    pub(super) fn copy(&self) -> BTreeMap<ObjectKey, Tiny> {
        let keys = self.keys().into_iter();
        keys.filter_map(|key| Some((key.clone(), self.shown(&key)?))).collect()
    }

    pub(super) fn shown(&self, key: &ObjectKey) -> Option<Tiny> {
        self.selected(*self.spoiled.get(key).unwrap_or(&self.at), key)
    }

    /// Takes in everything until that version, of which the last event, or more than that, tells.
    pub(super) fn take_in(&mut self, until: u64, tells: bool) {
        let before = self.copy();
        self.at = until;
        let after = self.copy();
        self.lose(&before, &after);
        if tells {
            self.reached = until;
            Version::parse(&until.to_string())
                .into_iter()
                .for_each(|version| self.floors.reached(version));
        }
    }

    /// All there is, and all of it can be read.
    pub(super) fn relist(&mut self) {
        let before = self.copy();
        self.spoiled.clear();
        self.floors.listed(&[]);
        let after = self.copy();
        self.lose(&before, &after);
        self.take_in(self.head(), true);
    }

    /// An object can be read again, or is gone.
    fn reads(&mut self, key: &ObjectKey) {
        let before = self.copy();
        self.spoiled.remove(key);
        self.floors.told(key);
        let after = self.copy();
        self.lose(&before, &after);
    }

    pub(super) fn event(&mut self, spoils: bool) {
        for next in self.at + 1..=self.head() {
            let key = self.server[usize::try_from(next).unwrap() - 1].key.clone();
            let now = self.selected(next, &key);
            let is_told = self.selected(next - 1, &key) != now;
            // Of names that the server chose nobody knows whose they are.
            let is_spoiled = spoils && now.is_some() && !key.name.starts_with("made");
            if is_told && is_spoiled {
                self.spoiled.entry(key.clone()).or_insert(next - 1);
                self.floors.set_aside(key);
            } else if is_told {
                self.reads(&key);
            }
            self.take_in(next, is_told);
            if is_told {
                return;
            }
        }
    }

    pub(super) fn reading(&self, seal: u64) -> Reading {
        Reading { seal, reached: Version::parse(&self.reached.to_string()), now: self.now }
    }

    fn reached(&self) -> Option<Version> {
        Version::parse(&self.reached.to_string())
    }

    // ---- own writes --------------------------------------------------------------------------------

    pub(super) fn begin(&mut self, touched: Touched, what: Turn) {
        let ticket = self.own.len() as u64;
        let shown = touched.key().and_then(|key| self.shown(key)).map(|object| object.uid);
        let written = touched.key().and_then(|key| self.written(key));
        self.floors.begin(ticket, touched.clone(), Some(shown.clone().into_iter().collect()));
        self.own.push(Own {
            ticket,
            touched,
            what,
            shown,
            written,
            effects: None,
            outcome: Outcome::Nothing,
            began: self.turn,
            over: None,
            is_doubted: false,
            crossed: None,
            is_void: false,
        });
    }

    /// The newest life that an own write made of a name.
    fn written(&self, key: &ObjectKey) -> Option<String> {
        let over = self.own.iter().filter(|own| own.over.is_some());
        let stored = over.filter_map(|own| match &own.outcome {
            Outcome::Stored { key: of, uid, version, .. } if of == key => {
                Some((version.parse::<u64>().unwrap(), uid.clone()))
            }
            _ => None,
        });
        stored.max().map(|(_, uid)| uid)
    }

    /// One of those under way.
    pub(super) fn under_way(&self, which: u8) -> Option<usize> {
        let open: Vec<usize> =
            (0..self.own.len()).filter(|at| self.own[*at].over.is_none()).collect();
        open.get(usize::from(which) % open.len().max(1)).copied()
    }

    fn stored(&self, object: &Tiny, is_in: bool) -> Outcome {
        let selected = match is_in {
            _ if self.is_vague => Selected::Unsure,
            true => Selected::Yes,
            false => Selected::No,
        };
        let (uid, version) = (object.uid.clone(), object.version.clone());
        Outcome::Stored { key: object.item_key(), uid, version, selected }
    }

    pub(super) fn carry_out(&mut self, which: usize) {
        let Own { touched, what, effects: None, .. } = self.own[which].clone() else { return };
        let before = self.head();
        let outcome = match what {
            Turn::Put(key, is_in) => {
                let object = self.put(&key_of(key), is_in);
                self.stored(&object, is_in)
            }
            Turn::Make(space) => {
                self.names += 1;
                let name = format!("made-{}", self.names);
                let object = self.put(&ObjectKey::from((SPACES[usize::from(space)], &*name)), true);
                self.stored(&object, true)
            }
            Turn::Delete(key) => match self.end(&key_of(key)) {
                Some(uid) => Outcome::Deleted { key: key_of(key), uid },
                None => Outcome::Absent,
            },
            _ => {
                for key in self.keys().into_iter().filter(|key| touched.holds(key)) {
                    self.end(&key);
                }
                Outcome::Unknown(touched)
            }
        };
        let changed = (before + 1..=self.head()).map(|version| {
            (self.server[usize::try_from(version).unwrap() - 1].key.clone(), version)
        });
        self.own[which].effects = Some(changed.collect());
        self.own[which].outcome = outcome;
    }

    pub(super) fn answer(&mut self, which: usize, is_lost: bool) {
        let reached = self.reached();
        let own = &mut self.own[which];
        own.over = Some(self.turn);
        if is_lost {
            own.outcome = Outcome::Unknown(own.touched.clone());
        }
        own.is_doubted = matches!(own.outcome, Outcome::Unknown(_));
        let asked = self.asked.iter().map(|asked| (&asked.question, asked.turn));
        let told = self.told.iter().map(|told| (&told.question, told.turn));
        if asked.chain(told).any(|(question, turn)| own.is_crossed_by(question, turn)) {
            own.crossed = Some(self.turn);
        }
        self.floors.finish(own.ticket, own.outcome.clone(), reached);
    }

    // ---- questions ---------------------------------------------------------------------------------

    pub(super) fn ask(&mut self) {
        if let Some((due, question)) = self.floors.question()
            && due <= self.now
        {
            let moment = self.floors.inquire(&question);
            let is_new = self.asked.iter().all(|asked| asked.question != question);
            assert!(is_new, "asked twice at once");
            let (turn, head) = (self.turn, self.head());
            self.asked.push(Asked { question, moment, turn, head });
        }
    }

    /// One of those that are asked.
    fn asked(&mut self, which: u8) -> Option<Asked> {
        let at = usize::from(which).checked_rem(self.asked.len())?;
        Some(self.asked.remove(at))
    }

    pub(super) fn fail(&mut self, which: u8) {
        if let Some(asked) = self.asked(which) {
            self.floors.postpone(&asked.question, self.now, &mut self.rng);
        }
    }

    pub(super) fn tell(&mut self, which: u8, does: bool, late: u8) {
        let Some(Asked { question, moment, turn, head }) = self.asked(which) else { return };
        let head = head + u64::from(late) % (self.head() - head + 1);
        let version = Version::parse(&head.to_string()).filter(|_| does);
        let found = self.keys().into_iter().filter(|key| question.is_of(key)).filter_map(|key| {
            let object = self.selected(head, &key)?;
            Some((key, Version::parse(&object.version)?))
        });
        let survey = version.map(|version| Survey { version, found: found.collect() });
        let is_told = survey.is_some();
        self.floors.settle(&question, moment, survey, self.reached());
        for own in &mut self.own {
            if own.is_crossed_by(&question, turn) {
                own.crossed = Some(self.turn);
            } else if question.answers(&own.touched) && own.crossed < Some(turn) {
                own.crossed = None;
            }
            let is_over = own.over.is_some_and(|over| over < turn);
            if is_over && question.answers(&own.touched) {
                own.is_void |= !is_told && own.is_doubted;
                own.is_doubted = false;
            }
            // Who will not say it of one will not say it of what is unsure either.
            let is_of = own.effects.iter().flatten().any(|(key, _)| question.is_of(key));
            own.is_void |= !is_told && self.is_vague && is_of && own.over.is_some();
        }
        if is_told {
            self.told.push(Told { question, version: head, turn });
        }
    }

    /// To before what the copy has: a list tells that.
    pub(super) fn restore(&mut self, back: u8) {
        let to = self.reached.saturating_sub(1 + u64::from(back)).max(1);
        if to >= self.reached {
            return;
        }
        while let Some(open) = self.under_way(0) {
            self.answer(open, false);
        }
        let shown = self.copy();
        self.server.truncate(usize::try_from(to).unwrap());
        (self.at, self.reached) = (to, to);
        self.spoiled.clear();
        self.floors.listed(&[]);
        let after = self.copy();
        self.floors.clear();
        self.told.clear();
        self.own.iter_mut().for_each(|own| own.is_void = true);
        while !self.asked.is_empty() {
            self.fail(0);
        }
        self.lose(&shown, &after);
        self.floors.reached(Version::parse(&to.to_string()).unwrap());
    }

    /// The lives that the copy had and has no more.
    fn lose(&mut self, before: &BTreeMap<ObjectKey, Tiny>, after: &BTreeMap<ObjectKey, Tiny>) {
        for (key, old) in before {
            if after.get(key).is_none_or(|new| new.uid != old.uid) {
                self.floors.lost(key, &old.uid, true);
            }
        }
    }
}
