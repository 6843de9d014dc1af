import { writeOperation } from '../../http/operation.ts'
import { checkOwnPassword } from '../developers/passwords.ts'
import {
  BackupCodes,
  OwnPassword,
  TwoFactorCode,
  TwoFactorProof,
  TwoFactorSecret,
} from '../developers/schema.ts'
import { finishTwoFactor, removeTwoFactor, startTwoFactor } from './two-factor.ts'

const own = {
  method: 'POST',
  scopes: ['account'],
  caller: 'session',
  access: 'own.write',
  emits: [],
} as const

export const twoFactorOperations = [
  writeOperation({
    ...own,
    id: 'keywright/set-up-two-factor',
    summary: 'Get a secret for an authenticator app; it is not needed before it is confirmed',
    path: '/two_factor.json',
    body: OwnPassword,
    status: 200,
    response: TwoFactorSecret,
    refuses: ['invalid_credentials', 'two_factor_on'],
    prepare: (ctx, { scope, body }) => checkOwnPassword(ctx, scope, body.current_password),
    handle: (ctx, { scope }, checked) => startTwoFactor(ctx, scope, checked),
  }),
  writeOperation({
    ...own,
    id: 'keywright/confirm-two-factor',
    summary: 'Switch two-factor on by a first code; answers the backup codes once',
    path: '/two_factor/confirm.json',
    body: TwoFactorCode,
    status: 200,
    response: BackupCodes,
    refuses: ['two_factor_invalid', 'two_factor_not_begun', 'two_factor_on'],
    handle: (ctx, { scope, body }) => finishTwoFactor(ctx, scope, body.code),
  }),
  writeOperation({
    ...own,
    id: 'keywright/remove-two-factor',
    summary: 'Switch two-factor off by a code or a backup code',
    path: '/two_factor/remove.json',
    body: TwoFactorProof,
    status: 204,
    refuses: ['two_factor_invalid', 'two_factor_off', 'two_factor_required'],
    handle: (ctx, { scope, body }) => removeTwoFactor(ctx, scope, body),
  }),
]
