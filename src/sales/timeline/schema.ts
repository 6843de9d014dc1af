import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, IdText, Nullable, Optional, Paging, Text, Time } from '../../http/wire.ts'

/** What a timeline is made of; of the same second the later ones are the cause of the earlier. */
export const TIMELINE_KINDS = ['mail', 'event', 'note', 'audit', 'refusal'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** What an entry may be about, the nearest first. */
export const ABOUT_KINDS = [
  'payment',
  'subscription',
  'trial',
  'license',
  'install',
  'cart',
  'user',
  'event',
] as const
export type AboutKind = (typeof ABOUT_KINDS)[number]

export const TimelineEntry = Type.Object(
  {
    id: Type.String({ description: 'Kind and ID: `event:12`.' }),
    kind: Choice(TIMELINE_KINDS),
    created: Time('Real time; of a refusal its last time.'),
    on_clock: Nullable(Time('On the clock of the sandbox; null: it is not of it, or nobody knows.')),
    type: Type.String({
      description:
        'Type of the event; kind of the mail; operation or command of the audit log; code of the refusal; `note`.',
    }),
    actor: Nullable(
      Type.Object(
        {
          kind: Type.String({ description: '`developer`, `user`, `install`, `system`, …' }),
          id: Nullable(IdText()),
          name: Nullable(Type.String({ description: 'Of a person of the team.' })),
        },
        { description: 'Who did it.' },
      ),
    ),
    about: Nullable(Type.Object({ kind: Choice(ABOUT_KINDS), id: IdText() })),
    environment: Nullable(Choice([0, 1], { description: 'Null: it is of neither.' })),
    state: Nullable(Type.String({ description: 'How the deliveries of the event, or the mail, stand.' })),
    text: Nullable(
      Type.String({
        description: 'The note; why the mail or the client was refused, as the server or we said.',
      }),
    ),
    count: Nullable(Type.Integer({ description: 'How often a client was refused that on that day.' })),
    request_id: Nullable(Type.String({ description: 'Of what the audit log says.' })),
    data: Type.Unknown({ description: 'What the event, or the audit log, says beside that.' }),
  },
  { title: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TimelineEntry>

export const Timeline = Type.Object(
  {
    entries: Type.Array(TimelineEntry),
    next: Nullable(Type.String({ description: '`before` of the next page; null: there is none.' })),
  },
  { title: 'Timeline' },
)
export type Timeline = Static<typeof Timeline>

export const TimelineQuery = Arguments({
  count: Paging.count,
  before: Optional(Text({ max: 200, description: 'As `next` of the page before says it.' })),
  environment: Optional(
    Choice([0, 1], {
      description: 'Only what is live (0), or of the sandbox (1), and what is of neither, as a note.',
    }),
  ),
  ...Fields,
})
export type TimelineQuery = Static<typeof TimelineQuery>
