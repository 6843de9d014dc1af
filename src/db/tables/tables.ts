import type {
  BackupCodesTable,
  BankAccountsTable,
  LoginAddressesTable,
  LoginFailuresTable,
  MemberInvitationsTable,
  MembersTable,
  SessionsTable,
  TwoFactorTable,
} from './accounts.ts'
import type { AccessTokensTable, ApiTokensTable } from './tokens.ts'
import type { AuditLogTable } from './audit.ts'
import type { BillingTable } from './billing.ts'
import type { CartsTable } from './carts.ts'
import type { CheckoutGuardsTable, CheckoutsTable } from './checkouts.ts'
import type { AccountCustomersTable, CountChangesTable, CountsTable } from './counts.ts'
import type { CouponRedemptionsTable, CouponsTable, SpecialCouponsTable } from './coupons.ts'
import type { DemosTable } from './demos.ts'
import type { DeploymentsTable, DeploymentUsersTable } from './deployments.ts'
import type { DeveloperEmailChangesTable, DevelopersTable, StoresTable } from './developers.ts'
import type { ErasuresTable } from './erasures.ts'
import type { EventsTable } from './events.ts'
import type { BulkItemsTable, BulksTable } from './bulks.ts'
import type { ExportsTable } from './exports.ts'
import type { FormerKeysTable } from './former-keys.ts'
import type { IdempotencyKeysTable } from './idempotency.ts'
import type {
  InstallClonesTable,
  InstallMetadataTable,
  InstallsTable,
  InstallTokensTable,
  MarketItemsTable,
  OwnershipChangesTable,
  SitesTable,
  SkippedSitesTable,
  UninstallsTable,
} from './installs.ts'
import type { FailedRowsTable, JobsTable, RenewalWatchTable } from './jobs.ts'
import type {
  LicensesTable,
  LicenseSitesTable,
  PendingActivationsTable,
  TrialsTable,
  TriedSitesTable,
  UsedProofsTable,
} from './licenses.ts'
import type { KeyRequestsTable } from './key-requests.ts'
import type { ImportedRowsTable, ImportReportTable, ImportsTable } from './imports.ts'
import type { InvoiceNumbersTable, InvoicesTable, TaxSettingsTable } from './invoices.ts'
import type { LicenseKeysTable } from './license-keys.ts'
import type { ListMarksTable } from './list-marks.ts'
import type { MailCountsTable } from './mail-counts.ts'
import type { MailsTable, OwnMailTextsTable } from './mails.ts'
import type { NotesTable } from './notes.ts'
import type {
  ChargesTable,
  DiscountsTable,
  GatewayEventsTable,
  PaymentMethodsTable,
  PaymentsTable,
  PostingsTable,
  ProvisionalTaxesTable,
  SubscriptionsTable,
} from './payments.ts'
import type { RefusalsTable } from './refusals.ts'
import type { FeaturesTable, FeatureValuesTable, PlansTable, PricingTable } from './plans.ts'
import type {
  BundleMembersTable,
  EmailAddressesTable,
  PicturesTable,
  ProductInfoTable,
  ProductsTable,
  SettingsTable,
} from './products.ts'
import type { ReviewsTable } from './reviews.ts'
import type { SandboxClocksTable, SandboxTimelineTable } from './sandbox.ts'
import type {
  UserKeyBillingTable,
  UserKeyInstallsTable,
  UserKeyLicensesTable,
  UserKeysTable,
} from './user-keys.ts'
import type { EmailConfirmationsTable, ProductUsersTable, UsersTable } from './users.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, WebhooksTable } from './webhooks.ts'

/** Every table, one file a table or a pair that belongs together. */
export interface Tables {
  access_tokens: AccessTokensTable
  account_customers: AccountCustomersTable
  api_tokens: ApiTokensTable
  audit_log: AuditLogTable
  backup_codes: BackupCodesTable
  bank_accounts: BankAccountsTable
  billing: BillingTable
  bundle_members: BundleMembersTable
  bulk_items: BulkItemsTable
  bulks: BulksTable
  carts: CartsTable
  charges: ChargesTable
  checkout_guards: CheckoutGuardsTable
  checkouts: CheckoutsTable
  count_changes: CountChangesTable
  counts: CountsTable
  coupon_redemptions: CouponRedemptionsTable
  coupons: CouponsTable
  deliveries: DeliveriesTable
  delivery_attempts: DeliveryAttemptsTable
  demos: DemosTable
  deployment_users: DeploymentUsersTable
  deployments: DeploymentsTable
  developer_email_changes: DeveloperEmailChangesTable
  developers: DevelopersTable
  discounts: DiscountsTable
  email_addresses: EmailAddressesTable
  email_confirmations: EmailConfirmationsTable
  erasures: ErasuresTable
  events: EventsTable
  former_keys: FormerKeysTable
  failed_rows: FailedRowsTable
  feature_values: FeatureValuesTable
  exports: ExportsTable
  features: FeaturesTable
  gateway_events: GatewayEventsTable
  idempotency_keys: IdempotencyKeysTable
  import_report: ImportReportTable
  imported_rows: ImportedRowsTable
  imports: ImportsTable
  install_clones: InstallClonesTable
  install_metadata: InstallMetadataTable
  install_tokens: InstallTokensTable
  invoice_numbers: InvoiceNumbersTable
  invoices: InvoicesTable
  installs: InstallsTable
  jobs: JobsTable
  key_requests: KeyRequestsTable
  license_keys: LicenseKeysTable
  license_sites: LicenseSitesTable
  licenses: LicensesTable
  list_marks: ListMarksTable
  login_addresses: LoginAddressesTable
  login_failures: LoginFailuresTable
  mail_counts: MailCountsTable
  mails: MailsTable
  market_items: MarketItemsTable
  member_invitations: MemberInvitationsTable
  members: MembersTable
  notes: NotesTable
  own_mail_texts: OwnMailTextsTable
  ownership_changes: OwnershipChangesTable
  payment_methods: PaymentMethodsTable
  payments: PaymentsTable
  pending_activations: PendingActivationsTable
  pictures: PicturesTable
  plans: PlansTable
  postings: PostingsTable
  pricing: PricingTable
  product_info: ProductInfoTable
  product_users: ProductUsersTable
  products: ProductsTable
  provisional_taxes: ProvisionalTaxesTable
  sessions: SessionsTable
  refusals: RefusalsTable
  renewal_watch: RenewalWatchTable
  reviews: ReviewsTable
  sandbox_clocks: SandboxClocksTable
  sandbox_timeline: SandboxTimelineTable
  settings: SettingsTable
  sites: SitesTable
  skipped_sites: SkippedSitesTable
  special_coupons: SpecialCouponsTable
  stores: StoresTable
  subscriptions: SubscriptionsTable
  tax_settings: TaxSettingsTable
  trials: TrialsTable
  tried_sites: TriedSitesTable
  two_factor: TwoFactorTable
  uninstalls: UninstallsTable
  used_proofs: UsedProofsTable
  user_key_billing: UserKeyBillingTable
  user_key_installs: UserKeyInstallsTable
  user_key_licenses: UserKeyLicensesTable
  user_keys: UserKeysTable
  users: UsersTable
  webhooks: WebhooksTable
}
