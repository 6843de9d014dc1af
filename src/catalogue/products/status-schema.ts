import { Type } from '../../lib/type.ts'
import { Arguments, Optional, SecretText } from '../../http/wire.ts'

const UPDATE = 'True: the site used the product before, which counts against the limit of such sites.'

export const StatusQuery = Arguments({
  is_update: Optional(Type.Boolean({ description: UPDATE })),
})

export const Status = Type.Object({
  is_active: Type.Boolean(),
  timestamp: Type.Integer({ description: 'Unix seconds.' }),
})

export const PingQuery = Arguments({
  uid: Optional(
    SecretText({ max: 255, description: 'What the caller calls itself, always the same: 32 characters.' }),
  ),
  is_update: Type.Boolean({ default: false, description: `${UPDATE} The answer has \`is_active\` then.` }),
  is_gdpr_test: Optional(Type.Boolean({ description: 'True: answer as to a caller in Europe.' })),
})

export const Pong = Type.Object({
  api: Type.Unsafe<'pong'>({ enum: ['pong'] }),
  is_gdpr_required: Type.Boolean(),
  timestamp: Type.String({ description: 'As in a mail, such as `Thu, 11 May 2023 11:45:30 +0000`.' }),
  is_active: Optional(Type.Boolean()),
})
