import { readConfig } from '../config.ts'
import { plainCommand } from './command.ts'
import { openProcess, runJobs } from './process.ts'
import { dataPlace } from '../health/data-place.ts'
import { settleStart } from './settle-start.ts'

export const command = plainCommand({
  isShowing: true,
  describe: 'run the jobs without answering requests',
  json: 'print one JSON object once it works, and log to standard error',
  handler: async (_, cli) => {
    await using closing = new AsyncDisposableStack()
    const config = readConfig(cli.env)
    const opened = await openProcess(cli, config, closing)
    runJobs(opened)
    settleStart()
    const stopped = opened.untilStopped()
    if (cli.json) cli.result({ data: dataPlace(config) }, '')
    cli.note(`Keywright runs the jobs of ${dataPlace(config)}.`)
    await stopped
  },
})
