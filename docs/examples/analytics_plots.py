# %% [markdown]
# # Four pictures from the tables
# `waraq export --all --out tables --format parquet`, then
# `python analytics_plots.py tables pictures`; or cell by cell, in an editor that knows `# %%`.

# %% The tables: views over the folder's files, as docs/analytics.md says
import sys
from pathlib import Path

import duckdb  # pip install duckdb matplotlib
import matplotlib as mpl
from matplotlib import pyplot as plt

FOLDER, PICTURES = (Path(word) for word in (*sys.argv[1:3], "tables", "pictures")[:2])
if not (FOLDER / "views.sql").is_file():
    print(
        f"no tables in {FOLDER}: waraq export --all --out {FOLDER} --format parquet",
        file=sys.stderr,
    )
    sys.exit(3)
mpl.use("agg")  # no window
mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "waraq", "font.size": 9})
tables = duckdb.connect()
tables.execute(f"SET file_search_path = '{FOLDER}'")
tables.execute((FOLDER / "views.sql").read_text())
figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")

# %% How long do they think? Half of the decisions are faster than the middle line
rows = tables.sql("""
    SELECT coalesce(level, 'player') AS who, list(think_ms / 1000) AS seconds
    FROM plays WHERE NOT timed_out AND think_ms IS NOT NULL GROUP BY who ORDER BY who
""").fetchall()
plot = axes[0, 0]
plot.boxplot(
    [seconds for _, seconds in rows], tick_labels=[who for who, _ in rows], showfliers=False
)
plot.set(title="Seconds to a decision", ylabel="s")

# %% Which trump is named, and does it win?
rows = tables.sql("""
    SELECT trump, count(*), count(*) FILTER (won_by = starter % 2)
    FROM rounds WHERE trump IS NOT NULL GROUP BY trump ORDER BY trump
""").fetchall()
plot = axes[0, 1]
plot.bar([suit for suit, _, _ in rows], [named for _, named, _ in rows], label="named")
plot.bar([suit for suit, _, _ in rows], [won for _, _, won in rows], label="and won")
plot.margins(y=0.25)
plot.set(title="Hokm: trump", ylabel="rounds")
if rows:  # none of that game: nothing to explain
    plot.legend(frameon=False)

# %% How long is a round of Hand?
rows = tables.sql("""
    SELECT seats, list(turns) FROM rounds JOIN matches USING (match, game, day)
    WHERE game = 'hand' GROUP BY seats ORDER BY seats
""").fetchall()
plot = axes[1, 0]
plot.hist([turns for _, turns in rows], bins=12, label=[f"{seats} seats" for seats, _ in rows])
plot.set(title="Hand: turns in a round", xlabel="turns", ylabel="rounds")
if rows:
    plot.legend(frameon=False)

# %% In which of its own turns does a seat open?
rows = tables.sql("""
    SELECT (turn - 1) // seats + 1 AS own_turn, count(*)
    FROM plays JOIN matches USING (match, game, day)
    WHERE opening GROUP BY own_turn ORDER BY own_turn
""").fetchall()
plot = axes[1, 1]
plot.plot([turn for turn, _ in rows], [openings for _, openings in rows], marker=".")
plot.set(title="Hand: the turn of an opening", xlabel="the seat's own turn", ylabel="openings")

# %% Kept as SVG and PNG, the same bytes for the same tables
PICTURES.mkdir(parents=True, exist_ok=True)
figure.savefig(PICTURES / "analytics.svg", metadata={"Date": None})
figure.savefig(PICTURES / "analytics.png", metadata={"Software": None}, dpi=110)
