import type { TxContext } from '../../context.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { invalid } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { insertDeveloper } from './developer-rows.ts'

export interface NewDeveloper {
  readonly email: string
  readonly first: string
  readonly last: string
  readonly passwordHash: string | null
}

/** Opens a seller's account; 400 `developer_email_taken` when the address has one. */
export async function createDeveloper(ctx: TxContext, input: NewDeveloper): Promise<number> {
  const { publicKey, secretKey } = newKeyPair()
  const created = await insertDeveloper(ctx.db, {
    email: input.email,
    email_folded: fold(input.email),
    first: input.first,
    last: input.last,
    password_hash: input.passwordHash,
    is_verified: true,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'developers.secret_key'),
    created: ctx.clock.now(),
    updated: null,
  })
  if (!created) throw invalid('developer_email_taken', 'There is a developer with this address.', 'email')
  return created.id
}
