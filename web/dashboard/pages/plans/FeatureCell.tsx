import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Feature, FeatureOfPlan } from '../../../../src/catalogue/plans/feature-schema.ts'
import type { Plan } from '../../../../src/catalogue/plans/schema.ts'
import { fill } from '../../../shared/language.ts'
import { useAtOnce } from '../../../ui/at-once.ts'
import { InPlace } from '../../InPlace.tsx'
import { usePlace } from '../../place.ts'
import { featuresOfPlanQuery } from '../../products.ts'
import { featureTexts as words } from '../../texts/of-features.ts'

/** What a plan gives of a feature: undefined: nothing, null: all of it, else its value. */
type Given = string | null | undefined

interface Cell {
  readonly feature: Feature
  readonly plan: Plan
  readonly isBarred: boolean
}

/** Whether a plan gives a feature, and with which value; a refused change goes back, with the reason under it. */
export function FeatureCell({ feature, plan, isBarred }: Cell) {
  const { path } = usePlace()
  const { data } = useQuery(featuresOfPlanQuery(path, plan.id))
  const names = { plan: plan.title, feature: feature.title }
  const given = givenIn(data ?? [], feature.id)
  const { change, problem } = useGiving(feature, plan)
  const fault = problem && (problem.details.map(({ message }) => message).join(', ') || problem.message)
  return (
    <>
      <div className="cell">
        <Checkbox
          aria-label={fill(words.included, names)}
          checked={given !== undefined}
          disabled={isBarred || data === undefined}
          onChange={() => change(given === undefined ? null : undefined)}
        />
        {given === undefined ? null : (
          <InPlace
            text={given ?? ''}
            label={fill(given === null ? words.addValueOf : words.value, { ...names, value: given ?? '' })}
            none={words.noValue}
            isBarred={isBarred}
            save={(text) => change(text === '' ? null : text)}
          />
        )}
      </div>
      {fault ? (
        <p className="fault" role="alert">
          {fault}
        </p>
      ) : null}
    </>
  )
}

const givenIn = (all: readonly FeatureOfPlan[], id: string): Given => {
  const found = all.find((one) => one.id === id)
  return found && (found.value || null)
}

function useGiving(feature: Feature, plan: Plan) {
  const { path } = usePlace()
  const own = `${path}/plans/${plan.id}/features/${feature.id}.json`
  const names = { plan: plan.title, feature: feature.title }
  return useAtOnce<readonly FeatureOfPlan[], Given>({
    queryKey: featuresOfPlanQuery(path, plan.id).queryKey,
    shown: (all, value) => [
      ...all.filter(({ id }) => id !== feature.id),
      ...(value === undefined ? [] : [{ ...feature, plan_id: plan.id, value }]),
    ],
    sent: (value) =>
      value === undefined ? { method: 'DELETE', path: own } : { method: 'PUT', path: own, body: { value } },
    undo: (value, before) => ({
      text:
        value === undefined
          ? fill(words.wasTaken, names)
          : value === null
            ? fill(words.wasGiven, names)
            : fill(words.wasValued, { ...names, value }),
      change: givenIn(before, feature.id),
    }),
  })
}
