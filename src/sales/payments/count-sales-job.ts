import { setSaleCounts, wrongSaleCounts } from './sale-count-rows.ts'
import { countingJob } from '../../work/counting.ts'

/**
 * Says in each product how often it was bought and renewed, how many subscriptions it has, how many purchases
 * were declined, and what it earned (the contract's Plugin): in production, other currencies as if they were
 * dollars, as users have it. A total that every purchase writes would make those of a product wait for one another.
 */
export const countSales = countingJob({
  name: 'count-sales',
  wrong: wrongSaleCounts,
  set: setSaleCounts,
})
