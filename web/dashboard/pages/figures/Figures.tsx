import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { fill } from '../../../shared/language.ts'
import { PageHead } from '../../parts.tsx'
import { GROUPS, usePlace, type FiguresSearch, type Group } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { may } from '../../session.ts'
import { language, texts } from '../../texts/texts.ts'
import { figureTexts as words } from '../../texts/of-figures.ts'
import { cycleText } from '../../format.tsx'
import { FIGURES, type Interval } from './figures.ts'
import { Chips, useSay } from './Chips.tsx'
import { Shown } from './Shown.tsx'

const BY: readonly (Group | undefined)[] = [undefined, ...GROUPS]

/** How the product does: by day, week or month, or by plan, country or cycle. */
export function Figures() {
  const { account, path } = usePlace()
  const { filter, by: group } = useSearch({ strict: false }) as FiguresSearch
  const interval: Interval = filter === 'week' || filter === 'month' ? filter : 'day'
  const say = useSay()
  const { data: plans } = useQuery({ ...plansQuery(path), enabled: group === 'plan' })
  const groupText = (id: string | null): string => {
    if (id === null) return words.groupUnknown
    if (group === 'country') return regions.of(id.toUpperCase()) ?? id
    if (group === 'billing_cycle') return cycleText(Number(id))
    return plans?.find((plan) => plan.id === id)?.title ?? `#${id}`
  }
  const seen = FIGURES.filter(({ access }) => may(account, access, 'read'))
  const told = seen.filter(({ groups }) => group === undefined || groups.includes(group))
  const others = seen.filter((figure) => !told.includes(figure)).map(({ name }) => words.figureTexts[name][0])
  return (
    <>
      <PageHead title={texts.figures} about={words.figuresAbout} />
      <div className="narrowing">
        <Chips
          label={words.interval}
          choices={(['day', 'week', 'month'] as const).map((one) => [one, words.intervals[one]])}
          chosen={interval}
          choose={(one) => say({ filter: one === 'day' ? undefined : one })}
        />
        <Chips
          label={words.toldBy}
          choices={BY.map((one) => [one, words.groups[one ?? 'time']])}
          chosen={group}
          choose={(by) => say({ by })}
        />
      </div>
      <div className="charts">
        {told.map((figure) => (
          <Shown key={figure.name} figure={figure} interval={interval} group={group} groupText={groupText} />
        ))}
      </div>
      {group === undefined || others.length === 0 ? null : (
        <p className="muted">{fill(words.notToldBy, { figures: others.join(', ') })}</p>
      )}
    </>
  )
}

const regions = new Intl.DisplayNames([language], { type: 'region' })
