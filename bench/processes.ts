import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Another process of a benchmark. It ends with this one. */
export interface Peer<Ready> {
  /** What it said when it was ready. */
  readonly ready: Ready
  readonly pid: number
  /** Sends a question and waits for its answer; one at a time. */
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Starts `file` of this folder with its options; its log goes nowhere, what it prints on stderr is shown. */
export async function startPeer<Ready>(file: string, options: unknown): Promise<Peer<Ready>> {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const next = async <T>(): Promise<T> => {
    const message = await Promise.race([once(child, 'message'), ended.then(() => null)])
    if (message === null) throw new Error(`${file} ended too early.`)
    return message[0] as T
  }
  const ready = await next<Ready>()
  return {
    ready,
    pid: child.pid ?? 0,
    ask(question) {
      child.send(question as object)
      return next()
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** In the other process: what it was started with. */
export const peerOptions = <Options>(): Options => JSON.parse(process.argv[2] ?? '{}') as Options

/** Says what is ready, answers questions, and ends by `stop` when the one who asks is gone. */
export function servePeer<Question>(
  ready: unknown,
  answer: (question: Question) => Promise<unknown>,
  stop: () => Promise<void>,
): void {
  process.on('message', (question: Question) => {
    void answer(question).then((value) => process.send?.(value as object))
  })
  process.on('disconnect', () => void stop().then(() => process.exit()))
  process.send?.(ready as object)
}
