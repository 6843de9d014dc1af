import { transaction, type TxContext } from '../../src/context.ts'
import { systemScope, type Scope } from '../../src/access/scope.ts'
import { createBankAccount } from '../../src/accounts/developers/bank-accounts.ts'
import { startSession } from '../../src/accounts/sessions/sessions.ts'
import { addMember } from '../../src/accounts/team/members.ts'
import { issueApiToken } from '../../src/accounts/tokens/api-tokens.ts'
import { writeTemplate } from '../../src/catalogue/mails/own-texts.ts'
import { recordFor } from '../../src/events/log/record.ts'
import { DAY } from '../../src/lib/time.ts'
import type { TestContext } from '../app.ts'
import type { Seller, TestProduct } from '../factories.ts'
import { mailAbout } from '../mails.ts'
import { BANK_ACCOUNT } from './bank-account.ts'
import type { Ids } from './world.ts'

interface Place {
  readonly tx: TxContext
  readonly scope: Scope
}

let members = 0

/** A bank account, a member of the team, a token and a session, beside those that the tests use. */
export const createAccount = (ctx: TestContext, { developer }: Seller, product: TestProduct): Promise<Ids> =>
  transaction(ctx, async (tx) => {
    const scope = systemScope({ developerId: developer.id, productId: product.id })
    const member = await addMember(tx, scope, { email: `member-${++members}@example.com`, role: 'support' })
    const bankAccount = await createBankAccount(tx, scope, BANK_ACCOUNT)
    const token = await issueApiToken(tx, { productId: product.id, name: 'spare', expiresAt: null })
    const session = await newSession({ tx, scope })
    return { member_id: member.id, bank_account_id: bankAccount.id, token_id: String(token.id), ...session }
  })

/** A session of the owner of an account. */
async function newSession({ tx, scope }: Place) {
  return { session_id: String((await startSession(tx, scope.developerId, DAY)).id) }
}

/** An event of the account of a scope that is about no product. */
async function newAccountEvent({ tx, scope }: Place) {
  const data = { from: '', to: 'https://shop.example.com' }
  const id = await recordFor(tx, { ...scope, productId: 0 }, { type: 'store.url.updated', data })
  return { event_id: String(id) }
}

/** A mail that was given up. */
const newMail = async ({ tx, scope, userId }: Place & { readonly userId: number }) => ({
  mail_id: await mailAbout(tx, scope, userId),
})

/** No own text of a mail, and one. */
const withoutText = async ({ tx, scope }: Place): Promise<Ids> => {
  await tx.db.deleteFrom('own_mail_texts').where('product_id', '=', scope.productId).execute()
  return {}
}
const withText = async ({ tx, scope }: Place): Promise<Ids> => {
  await writeTemplate(tx, scope, 'license', { language: 'en', subject: 'Own', body: 'Own' })
  return {}
}

/** What is of the account, made for the operation that asks for it, and what is mailed. */
export const FRESH_OF_ACCOUNT = {
  'keywright/retry-mail': newMail,
  'keywright/update-mail-template': withoutText,
  'keywright/reset-mail-template': withText,
  'keywright/retrieve-account-event': newAccountEvent,
  'keywright/end-session': newSession,
}
