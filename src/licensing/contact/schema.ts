import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Id, Optional, SecretText, Text } from '../../http/wire.ts'

/** What somebody writes to the support of a product, from its contact page. */
export const Contact = Arguments({
  product_id: Id('Product.'),
  public_key: Text({ max: 64, description: 'Its public key.' }),
  email: Text({ max: 254, format: 'email', description: 'Where answers go.' }),
  name: Optional(Text({ max: 100 })),
  topic: Optional(Text({ max: 100, description: 'What it is about.' })),
  message: Text({ min: 1, max: 10_000, format: 'text' }),
  site_url: Optional(Text({ max: 2048, description: 'The site that it is about.' })),
  s_ctx_type: Optional(Text({ max: 20, description: '`install`: it is written from that site.' })),
  s_ctx_id: Optional(Text({ max: 20, description: 'ID of the install.' })),
  s_ctx_ts: Optional(Text({ max: 20, description: 'Unix seconds of the proof, good for 15 minutes.' })),
  s_ctx_secure: Optional(
    SecretText({ max: 100, description: 'MD5 of time, id, secret key, public key and the word contact.' }),
  ),
})
export type Contact = Static<typeof Contact>

export const Taken = Type.Object({ success: Type.Boolean() })
