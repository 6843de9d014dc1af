import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf } from '../dialect.ts'

/**
 * For which proof a pair of whole reach was handed out, and which products a person was in when another address was asked
 * for. Of pairs that were handed out so far nobody knows it: they go on in their product, as if the pair that its seller
 * is shown had been the proof. A link that waits is good for a person of its product alone.
 */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const { text } = wordsOf(engine)
  await sql`alter table user_keys add column proof_product_id bigint`.execute(db)
  await sql`update user_keys set proof_product_id = product_id where reach = 'whole'`.execute(db)
  await sql`alter table email_confirmations add column product_ids ${text}`.execute(db)
}
