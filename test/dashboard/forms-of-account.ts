import { systemScope } from '../../src/access/scope.ts'
import { createBankAccount } from '../../src/accounts/developers/bank-accounts.ts'
import { transaction } from '../../src/context.ts'
import { DAY, toUtcTime, type UtcTime } from '../../src/lib/time.ts'
import { BANK_ACCOUNT } from '../security/bank-account.ts'
import { opened, standing, type Forms } from './forms.ts'
import { joinTeam, type SellerApp } from './seller.ts'

const SAVES = { act: 'Save changes' } as const

/** Forms about the account, its stores, taxes and imports. */
export const FORMS_OF_ACCOUNT: Forms = {
  'pages/products/CreateProduct.tsx texts.createProduct': [opened('/products', 'Create a product')],
  'pages/stores/Stores.tsx texts.openStore': [opened('/stores', 'Open a store')],
  'pages/stores/Store.tsx texts.storeSettings': [standing('/stores/1', 'Settings')],
  'pages/stores/Store.tsx texts.senders': [standing('/stores/1', 'Sender addresses')],
  'pages/taxes/Taxes.tsx texts.taxPlaces': [standing('/taxes', 'Where you collect')],
  'pages/taxes/Taxes.tsx texts.onInvoices': [standing('/taxes', 'On invoices')],
  'pages/bank/BankAccounts.tsx texts.addBankAccount': [opened('/bank-accounts', 'Add a bank account')],
  'pages/bank/BankAccounts.tsx texts.changeBankAccount': [
    opened('/bank-accounts', 'Change bank account', SAVES),
  ],
  'pages/imports/DataForm.tsx form': [
    opened('/imports/new', 'Upload files', {
      panel: 'Files',
      file: { name: 'licenses.csv', text: 'no row' },
      act: 'Check',
    }),
    opened('/imports/new', 'Enter address and keys', { panel: 'Another server', act: 'Check' }),
    opened('/imports/new', 'Upload from Paddle', {
      panel: 'Paddle',
      file: { name: 'paddle.zip', text: 'no archive' },
      act: 'Check',
    }),
  ],
  'pages/exports/ExportAccount.tsx wholeTexts.export': [
    opened('/exports/account', 'Export it again', { act: 'Export the account' }),
  ],
  'pages/exports/DownloadAccount.tsx wholeTexts.downloadTitle': [
    opened('/exports/account', 'Download', { act: 'Continue' }),
  ],
}

/** As the app of a telephone takes it. */
const SECRET = { secret: 'JBSWY3DPEHPK3PXP', otpauth_url: 'otpauth://totp/Demo?secret=JBSWY3DPEHPK3PXP' }

/** Two-factor of the owner is on. */
const confirmTwoFactor = ({ ctx, demo: { developerId } }: SellerApp) =>
  transaction(ctx, ({ db, clock }) =>
    db
      .insertInto('two_factor')
      .values({ person_id: developerId, secret: '' as never, last_step: 0, confirmed_at: clock.now() })
      .execute(),
  )

/** Forms about who comes in, and by what. */
export const FORMS_OF_PEOPLE: Forms = {
  'pages/team/MemberForms.tsx texts.invite': [opened('/team', 'Invite somebody', { act: 'Send invitation' })],
  'pages/team/MemberForms.tsx fill(texts.changeRoleOf, { name: nameOf(member) })': [
    opened('/team', 'Change role: support Member', SAVES),
  ],
  'pages/tokens/AddToken.tsx texts.addToken': [
    opened('/tokens', 'Create token'),
    opened('/tokens', 'Create token', { chosen: { Opens: 'Some products of the account' } }),
  ],
  'pages/profile/PersonForms.tsx texts.changeName': [opened('/profile', 'Change name', SAVES)],
  'pages/profile/PersonForms.tsx texts.changeEmail': [
    opened('/profile', 'Change email address', { act: 'Mail the link' }),
  ],
  'pages/profile/PersonForms.tsx texts.changePassword': [opened('/profile', 'Change password')],
  'pages/profile/TwoFactor.tsx texts.twoFactorOn': [
    opened('/profile', 'Switch two-factor on', { act: 'Continue' }),
  ],
  'pages/profile/TwoFactor.tsx texts.twoFactorOn 2': [
    opened('/profile', 'Switch two-factor on', { after: { act: 'Continue', answer: SECRET } }),
  ],
  'pages/profile/TwoFactor.tsx texts.twoFactorOff': [
    opened('/profile', 'Switch two-factor off', { prepare: confirmTwoFactor }),
  ],
}

/** An export of all that the account has, whose file is there. */
const exportOf = ({ ctx, demo: { developerId } }: SellerApp, now: UtcTime) => ({
  developer_id: developerId,
  maker: `developer:${developerId}`,
  hides: '',
  kind: 'account',
  asked: '',
  columns: '',
  time_zone: 'UTC',
  format: 'jsonl' as const,
  state: 'done' as const,
  failures: 0,
  row_count: 12,
  progress: 1_000,
  file: 'hash',
  size: 1_000,
  error: null,
  created: now,
  finished_at: now,
  expires_at: toUtcTime(ctx.clock.real() + DAY),
  due_at: null,
  lease_until: 0,
  fence: 0,
})

/** A member of the team, a bank account and an export of all, of which the demo has none. */
export const prepareAccount = async (app: SellerApp): Promise<void> => {
  await joinTeam(app, 'support')
  const scope = systemScope({ developerId: app.demo.developerId, productId: app.demo.productId })
  await transaction(app.ctx, (tx) => createBankAccount(tx, scope, BANK_ACCOUNT))
  await transaction(app.ctx, ({ db, clock }) =>
    db.insertInto('exports').values(exportOf(app, clock.now())).execute(),
  )
}
