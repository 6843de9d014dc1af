/** What no operation says by itself of how its verb is called. */
interface Usage {
  /** Of each list of arguments one must be given; that which comes first is in the example. */
  readonly needs?: readonly (readonly string[])[]
  /** What stands behind the name of the command, in examples that are not made of what must be given. */
  readonly examples?: readonly string[]
}

const UID = '0123456789abcdef0123456789abcdef'

/** By the names of commands. */
const usages: Readonly<Record<string, Usage>> = {
  'license issue': {
    needs: [['period', 'expires_at', 'is_block_features']],
    examples: [
      '7 9 --email ada@example.com --period 12',
      '7 9 --email ada@example.com --expires-at 2027-01-31',
    ],
  },
  'license issue-on-install': { needs: [['period', 'expires_at']] },
  'license extend': { needs: [['expiration']] },
  'license explain': { needs: [['license_key', 'license_id']] },
  'license activate': {
    examples: [`--uid ${UID} --license-key sk_key --url https://shop.example.com`],
  },
  'license activate-install': { needs: [['license_key', 'is_migration']] },
  'license get-of-install': { needs: [['license_key', 'is_migration']] },
  'license update': { examples: ['7 --quota 5'] },
  'license upgrade-link': { examples: ['7', '7 --plan-id 9'] },
  'customer create': {
    needs: [
      ['name', 'first'],
      ['name', 'last'],
    ],
    examples: ['--email ada@example.com --name "Ada Lovelace"'],
  },
  'customer update': { examples: ['7 --name "Ada Lovelace"'] },
  'customer portal-link': { needs: [['email', 'id']] },
  'product update': { examples: ['--title "My product"'] },
  'product update-info': { examples: ['--url https://shop.example.com'] },
  'product update-mail-addresses': { examples: ['--general hello@example.com'] },
  'plan create': {
    needs: [['title', 'name']],
    examples: ['--title Pro', '--title Team --support-email help@example.com'],
  },
  'plan update': { examples: ['7 --title Business'] },
  'plan set-feature': { examples: ['7 9 --value "10 GB"'] },
  'price create': {
    needs: [['annual_price', 'monthly_price', 'lifetime_price']],
    examples: ['7 --annual-price 79 --licenses 5'],
  },
  'price clone': { needs: [['to_currency']], examples: ['7 --to-currency eur'] },
  'feature create': { examples: ['--title Backups'] },
  'feature update': { examples: ['7 --title Backups'] },
  'coupon create': { examples: ['--code SPRING20 --discount 20 --discount-type percentage'] },
  'coupon set-special': { examples: ['7 exit_intent'] },
  'coupon remove-special': { examples: ['7 exit_intent'] },
  'checkout open': { examples: ['--product-id 7 --pricing-id 9 --billing-cycle annual'] },
  'checkout update': { examples: ['checkout-token --country-code DE'] },
  'checkout pay': { examples: ['checkout-token --payment-token test_succeeds'] },
  'checkout connect-site': {
    examples: [`checkout-token --site-uid ${UID} --site-url https://shop.example.com`],
  },
  'subscription add-payment': { examples: ['7 --gross 79'] },
  'review create': { examples: ['--rate 90 --text "It does what it says." --name "Ada Lovelace"'] },
  'review create-of-license': { examples: ['7 9 --rate 90 --text "It does what it says."'] },
  'trial start': { examples: ['7 9'] },
  'install update': { examples: ['7 --version 1.2.3'] },
  'install record-event': { examples: ['7 --type menu.opened'] },
  'install downgrade': { examples: ['7', '7 --deactivate-license'] },
  'install change-owner': { needs: [['owner_token', 'candidate_token']] },
  'install ask-for-owner': { examples: ['7 9 --email grace@example.com'] },
  'install add-member': { needs: [['email', 'member_id']] },
  'install create-of-customer': { needs: [['uid', 'sites']] },
  'install update-of-customer': { examples: [`7 --installs '[{"id": 9, "version": "1.2.3"}]'`] },
  'install skip': { needs: [['uid', 'uids']] },
  'version create': { needs: [['file']], examples: ['--file ./my-product.zip'] },
  'version updates': { needs: [['version', 'older_than']] },
  'listener create': { examples: ['--url https://shop.example.com/hook --types license.created'] },
  'listener update': { examples: ['7 --url https://shop.example.com/hook'] },
  'listener resend': { examples: ['7 --event-id 9'] },
  'member add': { examples: ['--email grace@example.com --role support'] },
  'setting write': { examples: [`--setting-type 3 --data '{"selling_unit_plural": "Seats"}'`] },
  'setting update': { examples: [`7 --data '{"selling_unit_plural": "Seats"}'`] },
  'sandbox advance': { needs: [['duration', 'target']] },
  'bulk create': {
    needs: [['ids', 'filter']],
    examples: [`--action licenses.extend --ids 3,5 --arguments '{"days": 30}'`],
  },
  'account-import create': {
    needs: [['file', 'url']],
    examples: [
      '--source files --file ./export.zip --dry-run',
      '--source server --url https://licenses.example.com --from-developer-id 7 --public-key pk_key --secret-key sk_key',
    ],
  },
  'account update-taxes': { examples: ['--country DE'] },
  'store create-product': { examples: ['7 --title "My other product"'] },
  'api-token create': { examples: ['--name laptop', '--name support --rights licenses.write,sales.read'] },
  'store update': { examples: ['7 --title "My shop"'] },
  'store create': { examples: ['--title "My shop"'] },
}

/** How a command is called, by its name. */
export const usageOf = (name: string): Usage => usages[name] ?? {}
