import type { ATTEMPT, DELIVERY } from '../../events/listeners/delivery.entity.ts'
import type { WEBHOOK } from '../../events/listeners/webhook.entity.ts'
import type { ColumnsOf } from './columns.ts'

/** Who is told of a product's events; its columns are described with the noun. */
export interface WebhooksTable extends ColumnsOf<(typeof WEBHOOK)['fields']> {}

/** An event for one listener. */
export interface DeliveriesTable extends ColumnsOf<(typeof DELIVERY)['fields']> {}

/** A try to reach a listener. */
export interface DeliveryAttemptsTable extends ColumnsOf<(typeof ATTEMPT)['fields']> {}
