import { startServer } from '../src/start.ts'
import { peerOptions, servePeer } from './processes.ts'
import { benchContext, type Environment } from './seed.ts'

/** Bytes of memory the process holds, and the most it ever held. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

const ctx = await benchContext(peerOptions<Environment>())
const { address, stop } = await startServer(ctx)

servePeer(address, memory, async () => {
  await stop()
  await ctx.database.close()
})

async function memory(): Promise<Memory> {
  return { now: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 }
}
