import type { CheckoutAction } from '../db/tables/checkouts.ts'
import type { CheckoutActionModule } from './checkout-action.ts'
import { licenseUpdate } from './checkout-change.ts'
import { methodUpdate } from './checkout-method.ts'
import { purchase } from './checkout-purchase.ts'
import { trial } from './checkout-trial.ts'

const MODULES: Readonly<Record<CheckoutAction, CheckoutActionModule>> = {
  purchase,
  license_update: licenseUpdate,
  payment_method_update: methodUpdate,
  trial,
}

/** The module of what a checkout is for. */
export const actionOf = ({ action }: { readonly action: CheckoutAction }): CheckoutActionModule =>
  MODULES[action]
