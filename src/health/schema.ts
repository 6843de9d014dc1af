import { Type, type Static } from '../lib/type.ts'
import { Choice, Nullable, Time } from '../http/wire.ts'

const CheckLine = Type.Object({
  check: Type.String({ description: 'What was looked at, as `keywright doctor` calls it.' }),
  status: Choice(['ok', 'warn', 'fail', 'waiting'], { description: '`waiting`: it is being looked at.' }),
  message: Type.String(),
  fix: Nullable(Type.String({ description: 'What to do; null: nothing.' })),
  at: Nullable(Time('When it was looked at.')),
})

const JobLine = Type.Object({
  name: Type.String(),
  state: Choice(['waiting', 'running', 'late', 'failing'], {
    description: '`late`: due for more than two minutes, and no process runs it.',
  }),
  last_started: Nullable(Time()),
  last_finished: Nullable(Time('When it last did its work.')),
  due: Nullable(Time('When it runs next.')),
  failures: Type.Integer({ description: 'Failed runs since it last did its work.' }),
  last_error: Nullable(Type.String()),
})

/** How the server is set up and fares. What is of all sellers is null where there are several. */
export const ServerState = Type.Object(
  {
    version: Type.String(),
    base_address: Type.String(),
    started: Time('When this process began.'),
    time: Time('What this process takes for now.'),
    clock_skew_ms: Nullable(
      Type.Integer({
        description: 'How far its clock is ahead of the database; null: that has the same clock.',
      }),
    ),
    database: Choice(['sqlite', 'postgres']),
    is_only_seller: Type.Boolean({
      description: 'Whether no other account of this server has a store; else `checks` and places are null.',
    }),
    mail: Type.Object({
      kind: Choice(['folder', 'smtp']),
      place: Nullable(Type.String({ description: 'The folder, or host and port.' })),
      from: Nullable(Type.String({ description: 'Whom mail is from that is from no product.' })),
    }),
    storage: Type.Object({
      kind: Choice(['folder', 's3']),
      place: Nullable(Type.String({ description: 'The folder, or the bucket.' })),
    }),
    gateways: Type.Array(
      Type.Object({
        gateway: Type.String(),
        environments: Type.Array(Choice([0, 1])),
        methods: Type.Array(Type.String()),
        publishable_key: Nullable(Type.String()),
      }),
    ),
    waiting: Type.Object({
      mails: Type.Integer({
        description: 'Mails of this account that are to be sent; 10000: that many or more.',
      }),
      failed_mails: Type.Integer({ description: 'Those that were given up and can still be sent.' }),
      deliveries: Type.Integer({ description: 'Calls of its listeners that are to be made.' }),
    }),
    jobs: Type.Array(JobLine),
    checks: Nullable(Type.Array(CheckLine)),
  },
  { title: 'ServerState' },
)
export type ServerState = Static<typeof ServerState>
