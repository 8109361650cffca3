"""What is measured, in Streamlit; a page's query says which of it."""

import random
import string

import pandas
import streamlit as st

state = st.session_state
what = st.query_params["what"]


def any_text():
    return "".join(random.choices(string.ascii_lowercase, k=8))


@st.fragment(run_every=1)
def changing_label():
    st.text(any_text())


@st.fragment(run_every=1)
def changing_table(step):
    if "rows" not in state:
        state.rows = [{"name": any_text(), "price": any_text()} for _ in range(1000)]
    if step == "cell":
        state.rows[3]["price"] = any_text()
    elif step == "insert":
        state.rows.insert(5, {"name": any_text(), "price": any_text()})
    else:
        state.rows.insert(8, state.rows.pop(3))
    st.dataframe(pandas.DataFrame(state.rows))


if what == "key":
    st.text(st.text_input("Name").upper())
elif what == "label":
    count = int(st.query_params["count"])
    for number in range(count):
        if number == count // 2:
            changing_label()
        else:
            st.text(f"label {number}")
else:
    changing_table(st.query_params["step"])
st.text("All is there.")
