import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { allowNull, wordsOf, type Words } from '../dialect.ts'

/** A bearer token may be of an account, all of it or narrowed to products and rights; and may have been made by another. */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table api_tokens add column developer_id bigint references developers (id)`.execute(db)
  await sql`alter table api_tokens add column product_ids ${text}`.execute(db)
  await sql`alter table api_tokens add column rights ${text}`.execute(db)
  await sql`alter table api_tokens add column made_by bigint`.execute(db)
  await sql`update api_tokens set developer_id =
    (select developer_id from products where products.id = api_tokens.product_id)`.execute(db)
  for (const statement of allowNull(engine, tokensOf(wordsOf(engine)))) await statement.execute(db)
  if (engine === 'postgres')
    await sql`alter table api_tokens alter column developer_id set not null`.execute(db)
  // The tokens of an account with those of its products, newest first.
  await sql`create index api_tokens_of_developer on api_tokens (developer_id, id)`.execute(db)
  // Those that a token has made, which end with it.
  await sql`create index api_tokens_made_by on api_tokens (made_by) where made_by is not null`.execute(db)
}

const tokensOf = ({ id, text }: Words) => ({
  table: 'api_tokens',
  column: 'product_id',
  columns: sql`
    id ${id},
    product_id bigint references products (id),
    name ${text} not null,
    token_hash ${text} not null unique,
    hint ${text} not null,
    created ${text} not null,
    expires_at ${text},
    revoked_at ${text},
    last_used_at ${text},
    developer_id bigint not null references developers (id),
    product_ids ${text},
    rights ${text},
    made_by bigint`,
  names: [
    'id',
    'product_id',
    'name',
    'token_hash',
    'hint',
    'created',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'developer_id',
    'product_ids',
    'rights',
    'made_by',
  ],
  // The list of a product's tokens, newest first.
  indexes: [sql`create index api_tokens_of_product on api_tokens (product_id, id)`],
})
