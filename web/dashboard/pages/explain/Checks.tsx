import type { Check, Explanation, Occasion } from '../../../../src/licensing/activation/explain-schema.ts'
import { fill } from '../../../shared/language.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { State } from '../../format.tsx'
import { explainTexts } from '../../texts/of-explain.ts'
import { texts } from '../../texts/texts.ts'
import { Mend } from './Mend.tsx'

const OCCASIONS = ['activation', 'verification', 'update'] as const satisfies readonly Occasion[]

interface Explained {
  readonly explanation: Explanation
  /** Asks once more, as something was mended. */
  readonly again: () => void
}

/** What every rule answers, by what a client wants of it. */
export function Checks({ explanation, again }: Explained) {
  return (
    <div className="stack">
      <p role="status" className="unseen">
        {OCCASIONS.map(
          (one) => `${explainTexts.occasions[one]}: ${verdictOf(checksOf(explanation, one)).word}.`,
        ).join(' ')}
      </p>
      {OCCASIONS.map((occasion) => {
        const checks = checksOf(explanation, occasion)
        return (
          <section key={occasion} className="stack">
            <h2 className="page-title">
              {explainTexts.occasions[occasion]} <State {...verdictOf(checks)} />
            </h2>
            <ul className="panel checks">
              {checks.map((check) => (
                <li key={check.name}>
                  <Mark passed={check.is_passed} />
                  <Told check={check} explanation={explanation} />
                  {check.is_passed === false ? (
                    <Mend name={check.name} explanation={explanation} again={again} />
                  ) : null}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

const checksOf = ({ checks }: Explanation, occasion: Occasion) =>
  checks.filter((one) => one.occasion === occasion)

function verdictOf(checks: readonly Check[]) {
  const answers = checks.map(({ is_passed: passed }) => passed)
  if (answers.includes(false)) return { word: explainTexts.wouldBeRefused, tone: 'bad' } as const
  if (answers.includes(true)) return { word: explainTexts.wouldPass, tone: 'good' } as const
  return { word: explainTexts.notAsked, tone: 'plain' } as const
}

function Mark({ passed }: { readonly passed: boolean | null }) {
  if (passed === null) {
    return (
      <span className="mark muted">
        <span aria-hidden="true">–</span>
        <span className="unseen">{explainTexts.notAsked}</span>
      </span>
    )
  }
  return (
    <span className={passed ? 'mark good' : 'mark bad'}>
      <Icon name={passed ? 'done' : 'cross'} />
      <span className="unseen">{passed ? texts.yes : texts.no}</span>
    </span>
  )
}

/** What is checked; where it says no, why, with the code and the words that the client gets. */
function Told({ check, explanation }: { readonly check: Check; readonly explanation: Explanation }) {
  const { name, is_passed: passed, code, message } = check
  if (passed !== false) {
    const offered = explanation.offered_version
    return (
      <span className={passed === null ? 'muted' : undefined}>
        {name === 'newer_version' && passed && offered !== null
          ? fill(explainTexts.offersVersion, { version: offered })
          : explainTexts.checks[name]}
      </span>
    )
  }
  return (
    <span>
      <strong>{explainTexts.checkFails[name]}</strong>
      <span className="muted told">
        <code>{code}</code> {message}
      </span>
    </span>
  )
}
