import type Sqlite from 'better-sqlite3'

export function createContent(connection: Sqlite.Database): void {
  connection.exec(`
    -- Uploaded images by their digests, and the renditions that pages show.
    CREATE TABLE images (
      sha256 TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      frames INTEGER NOT NULL,
      size INTEGER NOT NULL,
      has_position INTEGER NOT NULL CHECK (has_position IN (0, 1)),
      uploaded_at TEXT NOT NULL,
      -- Null for anonymous uploads; set if an administrator uploads the same bytes.
      uploaded_by INTEGER REFERENCES people (id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX images_uploaded ON images (uploaded_at);
    CREATE INDEX images_strangers ON images (uploaded_at) WHERE uploaded_by IS NULL;
    CREATE TABLE renditions (
      image TEXT NOT NULL REFERENCES images (sha256) ON DELETE CASCADE,
      step TEXT NOT NULL CHECK (step IN ('small', 'medium', 'large')),
      sha256 TEXT NOT NULL,
      type TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      size INTEGER NOT NULL,
      PRIMARY KEY (image, step)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX renditions_digest ON renditions (sha256);

    -- The current drafts; the public version is the one that published_version refers to.
    CREATE TABLE posts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT NOT NULL,
      slug TEXT NOT NULL,
      content TEXT NOT NULL,
      revision INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      updated_by INTEGER NOT NULL REFERENCES people (id),
      published_version INTEGER REFERENCES post_versions (id),
      publish_at TEXT,
      CHECK ((published_version IS NULL) = (publish_at IS NULL))
    ) STRICT;
    CREATE INDEX posts_updated ON posts (updated_at);
    CREATE INDEX posts_public ON posts (publish_at) WHERE publish_at IS NOT NULL;
    CREATE TABLE post_versions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('autosaved', 'published', 'restored')),
      slug TEXT NOT NULL,
      content TEXT NOT NULL,
      saved_at TEXT NOT NULL,
      saved_by INTEGER NOT NULL REFERENCES people (id)
    ) STRICT;
    CREATE INDEX post_versions_post ON post_versions (post_id, id);
    -- The slugs of public posts.
    CREATE TABLE post_slugs (
      slug TEXT PRIMARY KEY,
      post_id INTEGER NOT NULL UNIQUE REFERENCES posts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE projects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL,
      title TEXT NOT NULL,
      author TEXT NOT NULL,
      content TEXT NOT NULL,
      revision INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
      reason TEXT,
      featured INTEGER NOT NULL DEFAULT 0 CHECK (featured IN (0, 1)),
      -- The order of the public list, separately for featured and other projects: greater ones first.
      position REAL NOT NULL,
      submitted_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      decided_at TEXT,
      decided_by INTEGER REFERENCES people (id)
    ) STRICT;
    CREATE UNIQUE INDEX projects_slug ON projects (slug) WHERE status = 'approved';
    CREATE INDEX projects_status ON projects (status, id);
    CREATE INDEX projects_public ON projects (featured, position) WHERE status = 'approved';

    -- The images used by a post, in its draft or its public version, or by a project.
    CREATE TABLE image_uses (
      image TEXT NOT NULL REFERENCES images (sha256),
      kind TEXT NOT NULL CHECK (kind IN ('post', 'project')),
      owner_id INTEGER NOT NULL,
      PRIMARY KEY (image, kind, owner_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX image_uses_owner ON image_uses (kind, owner_id);

    INSERT INTO desk_topics VALUES ('content', 1);
    CREATE TRIGGER desk_post_insert AFTER INSERT ON posts
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_post_update AFTER UPDATE ON posts
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_post_delete AFTER DELETE ON posts
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_project_insert AFTER INSERT ON projects
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_project_update AFTER UPDATE ON projects
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_image_insert AFTER INSERT ON images
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
    CREATE TRIGGER desk_image_delete AFTER DELETE ON images
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
  `)
}
