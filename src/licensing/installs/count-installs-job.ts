import { setInstallCounts, wrongInstallCounts } from './install-count-rows.ts'
import { countingJob } from '../../work/counting.ts'

/**
 * Says in each product how many installs it has, and how many are in use (the contract's Plugin). A counter that
 * every activation writes would make those of a product wait for one another.
 */
export const countInstalls = countingJob({
  name: 'count-installs',
  wrong: wrongInstallCounts,
  set: setInstallCounts,
})
