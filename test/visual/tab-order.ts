/**
 * The tab order, one stop per line, with role and name as Chrome exposes them to screen readers. It is the same from right to left, and
 * reversed with Shift+Tab. A collapsed element has one stop. A list with arrow-key navigation (conversations, versions)
 * has one stop, plus those of the focused row.
 */
const CASES: Readonly<Record<string, string>> = {
  'layout-page': `
    button New conversation
    searchbox Search conversations
    button Countries of the Danube
    button More actions for “Countries of the Danube”
    separator Width of Conversations
    button Collapse Conversations
    region Conversation
    button Copy
    button Edit
    button More actions
    DisclosureTriangle 3 steps, 1 tool
    region Table with 3 columns
    button Copy CSV
    button Copy Markdown
    button Sort by country
    button Sort by length (km)
    button Sort by share
    link Black Sea
    button Source 1: rivers.csv
    button Source 2: Rivers of Europe
    link Rivers of Europe
    button Copy
    button Regenerate
    button Good answer
    button Bad answer
    button Read aloud
    button More actions
    button Copy
    button Edit
    button More actions
    button Copy
    button Regenerate
    button Good answer
    button Bad answer
    button Read aloud
    button More actions
    button Jump to latest
    button Attach files
    textbox Message
    button Send
    button Add files…
    button From other conversations…
    button Star الأنهار.docx
    button Attach الأنهار.docx to the next message
    button Remove الأنهار.docx from this conversation
    button Star scan.pdf
    button Attach scan.pdf to the next message
    button Remove scan.pdf from this conversation
    button Star measurements_without_any_space_in_its_name_2024_12_31_final_v3.parquet
    button Attach measurements_without_any_space_in_its_name_2024_12_31_final_v3.parquet to the next message
    button Remove measurements_without_any_space_in_its_name_2024_12_31_final_v3.parquet from this conversation
    button Star A report about the rivers of Europe, their lengths and their countries, 2024.pdf
    button Attach A report about the rivers of Europe, their lengths and their countries, 2024.pdf to the next message
    button Remove A report about the rivers of Europe, their lengths and their countries, 2024.pdf from this conversation
    button Star rivers.csv
    button Attach rivers.csv to the next message
    button Remove rivers.csv from this conversation
    separator Width of Documents
    button Collapse Documents`,

  // The open drawer is modal, so only its stops exist.
  'layout-drawer': `
    button Close
    button New conversation
    searchbox Search conversations
    button Countries of the Danube
    button More actions for “Countries of the Danube”`,

  'run-queue': `
    region Conversation
    button Copy
    button More actions
    DisclosureTriangle Step 1 Look at the question done 1.2s
    DisclosureTriangle Step 2 Search the documents running Reading 3 of 7 documents 40%
    DisclosureTriangle Search documents length of the Danube running Reading rivers.csv
    button Stop and send now: And the Rhine?
    button Edit: And the Rhine?
    button Remove from queue: And the Rhine?
    button Stop and send now: Then compare both, please.
    button Edit: Then compare both, please.
    button Remove from queue: Then compare both, please.
    textbox Message
    button Stop`,

  'run-waiting': `
    region Conversation
    button Copy
    button More actions
    DisclosureTriangle Step 1 Ask for the year done
    textbox Your answer
    button Submit
    button Skip
    textbox Message
    button Send`,

  'composer-files': `
    button Cancel upload of rivers.csv
    button Cancel upload of A report about the rivers of Europe, their lengths and countries.pdf
    button Attach files
    textbox Message
    button Send`,

  // A closed chat precedes the open one.
  'window-panel': `
    button Open chat
    button Close chat
    region Conversation
    button Copy
    button Edit
    button More actions
    DisclosureTriangle 3 steps, 1 tool
    region Table with 3 columns
    button Copy CSV
    button Copy Markdown
    button Sort by country
    button Sort by length (km)
    button Sort by share
    link Black Sea
    button Source 1: rivers.csv
    button Source 2: Rivers of Europe
    link Rivers of Europe
    button Copy
    button Regenerate
    button Good answer
    button Bad answer
    button Read aloud
    button More actions
    textbox Message
    button Send
    separator Resize chat`,

  // Two closed chats precede the open one, whose button closes it.
  'window-bubble': `
    button Open chat
    button Open chat: 1 new answer
    button Close chat
    region Conversation
    button Copy
    button Edit
    button More actions
    DisclosureTriangle 3 steps, 1 tool
    region Table with 3 columns
    button Copy CSV
    button Copy Markdown
    button Sort by country
    button Sort by length (km)
    button Sort by share
    link Black Sea
    button Source 1: rivers.csv
    button Source 2: Rivers of Europe
    link Rivers of Europe
    button Copy
    button Regenerate
    button Good answer
    button Bad answer
    button Read aloud
    button More actions
    button Jump to latest
    textbox Message
    button Send
    separator Resize chat
    button Close chat`,

  'data-table-query': `
    region Conversation
    group Longest rivers of Europe
    button river
    button length_km
    button measured
    button navigable
    button mouth
    button Copy Longest rivers of Europe
    button Download CSV of Longest rivers of Europe
    DisclosureTriangle Query
    button Wrap
    button Copy
    region Code, sql
    button Format SQL
    button Copy
    button More actions`,

  'data-chart-line': `
    region Conversation
    combobox Chart type
    button Enlarge
    button Copy
    button More actions`,

  'data-chart-dialog': `
    combobox Chart type
    button Close`,

  'data-code': `
    region Conversation
    button Wrap
    button Copy
    region Code, python
    region Output
    region Errors
    button Copy
    button More actions`,

  'data-metric-several': `
    region Conversation
    group Level of the Danube (m)
    button station
    button level
    button Copy Level of the Danube (m)
    button Download CSV of Level of the Danube (m)
    button Copy
    button More actions`,

  'data-web-search-open': `
    region Conversation
    DisclosureTriangle Search the web longest rivers of Europe done 12 results
    link 2 things to know about the rivers of Europe
    link 3 things to know about the rivers of Europe
    link 4 things to know about the rivers of Europe
    link 5 things to know about the rivers of Europe
    link 6 things to know about the rivers of Europe
    button Show 7 more
    button Copy
    button Good answer
    button Bad answer
    button Read aloud
    button More actions`,

  'data-passages': `
    region Conversation
    DisclosureTriangle Passages 2 passages
    link shipping-handbook.pdf
    DisclosureTriangle Show more (1 kB left)
    button Copy
    button More actions`,

  'data-page': `
    region Conversation
    button Show page Water levels
    link Open in new tab Water levels
    button Copy
    button More actions`,

  'branches-compare': `
    button Close
    region Branch 2 (shown now)
    DisclosureTriangle Step 1 Find the documents done
    DisclosureTriangle Only in this branch Step 2 Read the second done
    button Copy
    button Keep current
    region Branch 1
    DisclosureTriangle Step 1 Find the documents done
    DisclosureTriangle Only in this branch Step 2 Read all three done
    button Copy
    button Continue on this branch`,
};

/** The tab stops of each case of the gallery. */
export const TAB_ORDER: readonly (readonly [string, readonly string[]])[] = Object.entries(
  CASES,
).map(([name, stops]) => [name, stops.trim().split(/\n\s*/u)]);
