-- The forum's state. Members and forums are referred to by name, submissions and comments by id; times are UTC seconds.
CREATE TABLE user (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  created INTEGER NOT NULL,
  biography TEXT NOT NULL DEFAULT ''
);
CREATE TABLE forum (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  sidebar TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '',        -- words, separated by spaces
  created INTEGER NOT NULL,
  subscribers INTEGER NOT NULL DEFAULT 0,
  featured INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE moderator (
  id INTEGER PRIMARY KEY,
  forum TEXT NOT NULL COLLATE NOCASE,
  user TEXT NOT NULL COLLATE NOCASE,
  created INTEGER NOT NULL,
  UNIQUE (forum, user)
);
CREATE TABLE subscription (
  id INTEGER PRIMARY KEY,
  forum TEXT NOT NULL UNIQUE COLLATE NOCASE
);
CREATE TABLE submission (
  id INTEGER PRIMARY KEY,
  forum TEXT NOT NULL COLLATE NOCASE,
  user TEXT NOT NULL COLLATE NOCASE,
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  url TEXT NOT NULL DEFAULT '',
  image TEXT NOT NULL DEFAULT '',       -- file name below the images folder
  redrawn INTEGER NOT NULL DEFAULT 0,   -- 1: its file is in the folder "redrawn" there
  created INTEGER NOT NULL,
  edited INTEGER,
  up INTEGER NOT NULL DEFAULT 1,
  down INTEGER NOT NULL DEFAULT 0,
  locked INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0,
  visibility TEXT NOT NULL DEFAULT 'visible'   -- visible, trashed (by a moderator), deleted (by its author)
);
CREATE INDEX submission_forum ON submission (forum, id);
CREATE INDEX submission_user ON submission (user, id);
CREATE TABLE flair (
  id INTEGER PRIMARY KEY,
  submission INTEGER NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX flair_submission ON flair (submission);
CREATE TABLE comment (
  id INTEGER PRIMARY KEY,
  submission INTEGER NOT NULL,
  parent INTEGER,
  user TEXT NOT NULL COLLATE NOCASE,
  body TEXT NOT NULL,
  created INTEGER NOT NULL,
  edited INTEGER,
  up INTEGER NOT NULL DEFAULT 1,
  down INTEGER NOT NULL DEFAULT 0,
  visibility TEXT NOT NULL DEFAULT 'visible'
);
CREATE INDEX comment_submission ON comment (submission, visibility, created);
CREATE INDEX comment_user ON comment (user, id);
CREATE INDEX comment_created ON comment (created);
CREATE TABLE vote (                     -- the signed-in member's own
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,                   -- submission, comment
  target INTEGER NOT NULL,
  choice INTEGER NOT NULL,              -- 1 or -1
  UNIQUE (kind, target)
);
CREATE TABLE ban (
  id INTEGER PRIMARY KEY,
  forum TEXT NOT NULL COLLATE NOCASE,
  user TEXT NOT NULL COLLATE NOCASE,
  kind TEXT NOT NULL,                   -- ban, unban
  reason TEXT NOT NULL,
  moderator TEXT NOT NULL COLLATE NOCASE,
  created INTEGER NOT NULL,
  expires INTEGER
);
CREATE INDEX ban_forum ON ban (forum, user, id);
CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  forum TEXT NOT NULL COLLATE NOCASE,
  action TEXT NOT NULL,                 -- submission_deletion, submission_restored, submission_lock, submission_unlock,
                                        -- comment_deletion, comment_restored, ban, unban
  moderator TEXT NOT NULL COLLATE NOCASE,
  user TEXT NOT NULL COLLATE NOCASE,    -- whom it concerns
  submission INTEGER,
  comment INTEGER,
  about TEXT NOT NULL DEFAULT '',       -- title of a submission that is no longer stored
  reason TEXT NOT NULL DEFAULT '',
  expires INTEGER,
  created INTEGER NOT NULL
);
CREATE INDEX log_forum ON log (forum, id);
CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL,              -- id of the thread's first message
  sender TEXT NOT NULL COLLATE NOCASE,
  receiver TEXT NOT NULL COLLATE NOCASE,
  body TEXT NOT NULL,
  created INTEGER NOT NULL
);
CREATE TABLE wiki (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE COLLATE NOCASE,
  locked INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE wiki_revision (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL COLLATE NOCASE,
  user TEXT NOT NULL COLLATE NOCASE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  created INTEGER NOT NULL
);
CREATE INDEX wiki_revision_path ON wiki_revision (path, id);
CREATE TABLE block (                    -- members whom the signed-in member blocks, forums hidden from the front page
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,                   -- user, forum
  name TEXT NOT NULL COLLATE NOCASE,
  UNIQUE (kind, name)
);
CREATE TABLE ballot (                   -- who voted on a submission, where the site kept the list
  id INTEGER PRIMARY KEY,
  submission INTEGER NOT NULL,
  user TEXT NOT NULL,
  registered INTEGER NOT NULL,          -- when that account was registered
  choice TEXT NOT NULL,                 -- up, down
  created INTEGER NOT NULL
);
CREATE INDEX ballot_submission ON ballot (submission, created);
CREATE TABLE archive (                  -- contributions that are no longer stored, by line
  id INTEGER PRIMARY KEY,
  user TEXT NOT NULL COLLATE NOCASE,
  forum TEXT NOT NULL COLLATE NOCASE,
  kind TEXT NOT NULL,                   -- submission, comment
  about TEXT NOT NULL,
  created INTEGER NOT NULL
);
CREATE INDEX archive_user ON archive (user, created);
-- An answer that is added from outside belongs to the latest thread with its sender.
CREATE TRIGGER message_answer AFTER INSERT ON message WHEN NEW.thread = 0 AND NEW.sender != 'WrenHalloway' BEGIN
  UPDATE message SET thread = coalesce(
    (SELECT max(thread) FROM message WHERE id != NEW.id AND NEW.sender IN (sender, receiver)), NEW.id) WHERE id = NEW.id;
END;

-- Only the worlds of shifts have rows in it.
CREATE TABLE inbox_message (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,                  -- waiting, open, closed (a decided ticket), archived (an old mail)
  opened INTEGER NOT NULL DEFAULT 0 -- whether its page was opened
);

-- What pages show of a record.
CREATE VIEW listed_submission AS
  SELECT s.*, s.up - s.down + coalesce(v.choice, 0) AS score, coalesce(v.choice, 0) AS choice,
    (SELECT count(*) FROM comment c WHERE c.submission = s.id AND c.visibility = 'visible') AS comments
  FROM submission s LEFT JOIN vote v ON v.kind = 'submission' AND v.target = s.id;
CREATE VIEW listed_comment AS
  SELECT c.*, c.up - c.down + coalesce(v.choice, 0) AS score, coalesce(v.choice, 0) AS choice,
    s.forum AS forum, s.title AS title, s.user AS author, s.visibility AS shown, p.user AS parent_user
  FROM comment c JOIN submission s ON s.id = c.submission LEFT JOIN comment p ON p.id = c.parent
    LEFT JOIN vote v ON v.kind = 'comment' AND v.target = c.id;
CREATE VIEW listed_forum AS
  SELECT f.*, f.subscribers + (SELECT count(*) FROM subscription x WHERE x.forum = f.name) AS members,
    (SELECT count(*) FROM submission s WHERE s.forum = f.name AND s.visibility = 'visible') AS submissions,
    (SELECT count(*) FROM subscription x WHERE x.forum = f.name) AS subscribed
  FROM forum f;
CREATE VIEW article AS
  SELECT w.path, w.locked, r.id, r.user, r.title, r.body, r.created
  FROM wiki w JOIN wiki_revision r ON r.path = w.path
    AND r.id = (SELECT max(x.id) FROM wiki_revision x WHERE x.path = w.path);
CREATE VIEW logged AS
  SELECT l.*, s.title AS title, s.user AS author FROM log l LEFT JOIN submission s ON s.id = l.submission;
CREATE VIEW contribution AS
  SELECT user, forum, kind, about, created FROM archive
  UNION ALL SELECT user, forum, 'submission', title, created FROM submission
  UNION ALL SELECT c.user, s.forum, 'comment', s.title, c.created FROM comment c
    JOIN submission s ON s.id = c.submission;
