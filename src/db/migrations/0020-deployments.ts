import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [deployments, deploymentUsers]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const deployments = ({ id, text }: Words) => [
  sql`create table deployments (
    id ${id},
    product_id bigint not null references products (id),
    developer_id bigint not null,
    slug ${text},
    premium_slug ${text},
    version ${text} not null,
    version_key ${text} not null,
    sdk_version ${text} not null,
    requires_platform_version ${text},
    requires_programming_language_version ${text},
    tested_up_to_version ${text},
    free_file ${text},
    free_size bigint,
    premium_file ${text},
    premium_size bigint,
    release_mode ${text} not null,
    is_incremental smallint not null,
    max_users bigint,
    offered bigint not null,
    uniques bigint not null,
    downloaded bigint not null,
    readme ${text},
    build_report ${text},
    created ${text} not null,
    updated ${text},
    unique (product_id, version_key))`,
  // The job `sweep-files`: whether a version has a file as its free build.
  sql`create index deployments_by_free_file on deployments (free_file)`,
  // The job `sweep-files`: whether a version has a file as its premium build.
  sql`create index deployments_by_premium_file on deployments (premium_file)`,
]

const deploymentUsers = ({ text }: Words) => [
  sql`create table deployment_users (
    deployment_id bigint not null references deployments (id),
    user_id bigint not null,
    product_id bigint not null,
    is_offered smallint not null,
    downloaded_at ${text},
    primary key (deployment_id, user_id))`,
  // The versions of a user; no query reads by it.
  sql`create index deployment_users_of_user on deployment_users (user_id)`,
]
