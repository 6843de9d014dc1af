import type { CheckoutAction } from '../../db/tables/checkouts.ts'
import type { CheckoutActionModule } from './action.ts'
import { licenseUpdate } from './change.ts'
import { methodUpdate } from './method.ts'
import { purchase } from './purchase.ts'
import { trial } from './trial.ts'

const MODULES: Readonly<Record<CheckoutAction, CheckoutActionModule>> = {
  purchase,
  license_update: licenseUpdate,
  payment_method_update: methodUpdate,
  trial,
}

/** The module of what a checkout is for. */
export const actionOf = ({ action }: { readonly action: CheckoutAction }): CheckoutActionModule =>
  MODULES[action]
