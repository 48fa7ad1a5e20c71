import type { Skill } from '../run/skill.js';
import type { RiverDatabase } from '../tools/river-database.js';
import { answerAnalysis, createAnalyseRivers, createCompareSeas } from './analysis.js';
import { answerBoth, createSearchBoth } from './both.js';
import { askThroughTools, askAsAgent, writeAnswers } from './questions.js';
import { calculate } from './calculation.js';
import { drawChart } from './chart.js';
import { answerFromRows, createAskMeasure, createQueryData, createRunSql } from './data.js';
import { createTakeHint } from './hint.js';
import { confirmRemoval, pickDocument, writeRemoval } from './removal.js';
import { createGatherReport, writeReport } from './report.js';
import { answerFromPassages, findPassages, filterPassages } from './search.js';
import { greet } from './small-talk.js';
import { askDocument, readWholeDocument, writeNewsletter, writeSummary } from './summaries.js';
import { nameUnclearParts } from './unclear-parts.js';
import { fetchPage } from './web-page.js';

/** Creates the skills that the rules plan with, by name. The names are stored in plans and checkpoints, so they do not change. */
export function createSkills(rivers: RiverDatabase): Map<string, Skill> {
  return new Map<string, Skill>([
    ['greet', greet],
    ['ask_person', askThroughTools],
    ['ask_as_agent', askAsAgent],
    ['write_answers', writeAnswers],
    ['name_unclear_parts', nameUnclearParts],
    ['find_passages', findPassages],
    ['filter_passages', filterPassages],
    ['answer_from_passages', answerFromPassages],
    ['ask_measure', createAskMeasure(rivers)],
    ['query_data', createQueryData(rivers)],
    ['run_sql', createRunSql(rivers)],
    ['answer_from_rows', answerFromRows],
    ['calculate', calculate],
    ['pick_document', pickDocument],
    ['confirm_removal', confirmRemoval],
    ['write_removal', writeRemoval],
    ['fetch_page', fetchPage],
    ['draw_chart', drawChart],
    ['analyse_rivers', createAnalyseRivers(rivers)],
    ['compare_basins', createCompareSeas(rivers)],
    ['answer_analysis', answerAnalysis],
    ['gather_report', createGatherReport(rivers)],
    ['write_report', writeReport],
    ['search_both', createSearchBoth(rivers)],
    ['answer_both', answerBoth],
    ['read_document', readWholeDocument],
    ['ask_document', askDocument],
    ['write_summary', writeSummary],
    ['write_newsletter', writeNewsletter],
    ['take_hint', createTakeHint(rivers)],
  ]);
}
