// Runs alone, slowly.
import { raceForQuota } from '../../../test/quota-race.ts'

raceForQuota({ rounds: 3 })
