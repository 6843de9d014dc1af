import { isOfInterface, type Operation } from './http/other-replies.ts'
import type { AnyOperation } from './http/operation.ts'
import type { Refusal, RefusalCode } from './lib/errors.ts'
import { ACCOUNTS_REFUSALS } from './accounts/refusals.ts'
import { CATALOGUE_REFUSALS } from './catalogue/refusals.ts'
import { DEPLOYMENTS_REFUSALS } from './deployments/refusals.ts'
import { EVENTS_REFUSALS } from './events/refusals.ts'
import { GATEWAYS_REFUSALS } from './gateways/refusals.ts'
import { HTTP_REFUSALS } from './http/refusals.ts'
import { LICENSING_REFUSALS } from './licensing/refusals.ts'
import { PEOPLE_REFUSALS } from './people/refusals.ts'
import { SALES_REFUSALS } from './sales/refusals.ts'
import { LISTS_REFUSALS } from './lists/refusals.ts'
import { IMPORTS_REFUSALS } from './imports/refusals.ts'
import { eventsOperations } from './events/operations.ts'
import { accountsOperations } from './accounts/operations.ts'
import { peopleOperations } from './people/operations.ts'
import { catalogueOperations } from './catalogue/operations.ts'
import { deploymentsOperations } from './deployments/operations.ts'
import { licensingOperations } from './licensing/operations.ts'
import { salesOperations } from './sales/operations.ts'
import { listsOperations } from './lists/operations.ts'
import { importsOperations } from './imports/operations.ts'
import { webOperations } from './web/operations.ts'
import { healthOperations } from './health/operations.ts'

/** Everything that the modules serve: the table of contents. */
export const served: readonly Operation[] = [
  ...eventsOperations,
  ...accountsOperations,
  ...peopleOperations,
  ...catalogueOperations,
  ...deploymentsOperations,
  ...licensingOperations,
  ...salesOperations,
  ...listsOperations,
  ...importsOperations,
  ...healthOperations,
  ...webOperations,
]

/** What of it is the interface, which the OpenAPI document describes. */
export const operations: readonly AnyOperation[] = served.filter(isOfInterface)

/** Every code that anything may be refused with, as each module lists its own. */
export const refusals: Readonly<Record<RefusalCode, Refusal>> = {
  ...HTTP_REFUSALS,
  ...GATEWAYS_REFUSALS,
  ...EVENTS_REFUSALS,
  ...ACCOUNTS_REFUSALS,
  ...PEOPLE_REFUSALS,
  ...CATALOGUE_REFUSALS,
  ...DEPLOYMENTS_REFUSALS,
  ...LICENSING_REFUSALS,
  ...SALES_REFUSALS,
  ...LISTS_REFUSALS,
  ...IMPORTS_REFUSALS,
}
