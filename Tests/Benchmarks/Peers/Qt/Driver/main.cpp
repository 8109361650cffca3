// Qt's bindable properties: QProperty with setBinding, onValueChanged where Qt has no binding.
#include <Measure.h>

#include <QAbstractListModel>
#include <QIdentityProxyModel>
#include <QProperty>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

using Node = QProperty<qint64>;

static qint64 updates, effects, sink;

static void write_source(void *node, long count) {
  for (long i = 0; i < count; i++) static_cast<Node *>(node)->setValue(++updates);
}

static auto run_effect(Node &node) {
  return node.onValueChanged([&node] {
    effects++;
    sink += node.value();
  });
}

static void chain(Request request) {
  const int length = 1000;
  std::vector<Node> nodes(length + 1);
  for (int i = 0; i < length; i++)
    nodes[i + 1].setBinding([&from = nodes[i]] { return from.value() + 1; });
  auto effect = run_effect(nodes[length]);
  nodes[0].setValue(7);
  measure_check(nodes[length].value() == 7 + length && effects == 1, "end of the chain");
  measure_run(request, "edge", length, write_source, &nodes[0]);
  measure_check(nodes[length].value() == updates + length, "end of the chain");
}

static void fan_out(Request request) {
  Node source;
  std::vector<Node> targets(1000);
  for (Node &target : targets) target.setBinding([&source] { return source.value(); });
  measure_run(request, "edge", double(targets.size()), write_source, &source);
  for (Node &target : targets) measure_check(target.value() == updates, "a target");
}

static void diamond(Request request) {
  Node source, sum;
  std::vector<Node> computed(100);
  for (int i = 0; i < 100; i++)
    computed[i].setBinding([&source, i] { return source.value() + i; });
  sum.setBinding([&computed] {
    qint64 total = 0;
    for (Node &node : computed) total += node.value();
    return total;
  });
  auto effect = run_effect(sum);
  measure_run(request, "edge", 201, write_source, &source);
  measure_check(sum.value() == 100 * updates + 4950, "the sum");
  measure_report("runs", double(effects) / double(updates));
}

static void pairs(Request request) {
  long count = request.size ? request.size : 100000;
  std::vector<Node> sources(count), targets(count);
  double memory = measure_resident(), start = measure_now();
  for (long i = 0; i < count; i++)
    targets[i].setBinding([&source = sources[i]] { return source.value(); });
  double end = measure_now();
  measure_report("bytes", (measure_resident() - memory) / double(count));
  measure_report("make", (end - start) / double(count));
  for (int round = 0; round < 2; round++) {
    start = measure_now();
    for (long i = 0; i < count; i++) sources[i].setValue(i + round + 1);
    end = measure_now();
  }
  measure_report("update", (end - start) / double(count));
  for (long i = 0; i < count; i++) measure_check(targets[i].value() == i + 2, "a target");
  start = measure_now();
  for (long i = 0; i < count; i++) targets[i].takeBinding();
  measure_report("unbind", (measure_now() - start) / double(count));
  sources[0].setValue(-5);
  measure_check(targets[0].value() == 2, "an unbound target");
}

struct Ends {
  std::vector<Node> left, right;
};

static void write_ends(void *context, long count) {
  auto *ends = static_cast<Ends *>(context);
  for (long round = 0; round < count; round++)
    for (Node &node : ++updates & 1 ? ends->right : ends->left) node.setValue(updates);
}

// A property cannot have two bindings, so each end tells the other.
static void two_way(Request request) {
  Ends ends{std::vector<Node>(1000), std::vector<Node>(1000)};
  std::vector<QPropertyNotifier> bag;
  for (int i = 0; i < 1000; i++) {
    Node &left = ends.left[i], &right = ends.right[i];
    bag.push_back(left.addNotifier([&left, &right] { right.setValue(left.value()); }));
    bag.push_back(right.addNotifier([&left, &right] { left.setValue(right.value()); }));
  }
  measure_run(request, "update", 1000, write_ends, &ends);
  for (int i = 0; i < 1000; i++)
    measure_check(ends.left[i] == updates && ends.right[i] == updates, "an end");
}

static const QString words[] = {QStringLiteral("hello binding world alpha"),
                                QStringLiteral("hello binding world gamma")};

static void transformer(Request request) {
  QProperty<QString> source, target;
  target.setBinding([&source] { return source.value().toUpper(); });
  auto write = [](void *node, long count) {
    for (long i = 0; i < count; i++)
      static_cast<QProperty<QString> *>(node)->setValue(words[++updates & 1]);
  };
  measure_run(request, "update", 1, write, &source);
  measure_check(target.value() == words[updates & 1].toUpper(), "the upper-cased string");
}

class Rows : public QAbstractListModel {
 public:
  int rowCount(const QModelIndex &) const override { return int(rows.size()); }
  QVariant data(const QModelIndex &index, int) const override { return rows[index.row()]; }
  void insert(int row, qint64 value) {
    beginInsertRows({}, row, row);
    rows.insert(rows.begin() + row, value);
    endInsertRows();
  }
  void remove(int row) {
    beginRemoveRows({}, row, row);
    rows.erase(rows.begin() + row);
    endRemoveRows();
  }
  std::vector<qint64> rows;
};

/// Maps when asked: Qt has no mapped list that keeps its values.
class Doubled : public QIdentityProxyModel {
 public:
  QVariant data(const QModelIndex &index, int role) const override {
    return QIdentityProxyModel::data(index, role).toLongLong() * 2;
  }
};

static int random_row() {
  static uint32_t state = 12345;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return int(state % 10000);
}

static void mapped_list(Request request) {
  Rows list;
  for (int i = 0; i < 10000; i++) list.rows.push_back(i);
  Doubled mapped;
  mapped.setSourceModel(&list);
  auto edit = [](void *context, long count) {
    auto *list = static_cast<Rows *>(context);
    for (long i = 0; i < count; i++) {
      list->insert(random_row(), i);
      list->remove(random_row());
    }
  };
  measure_run(request, "edit", 2, edit, &list);
  measure_check(mapped.rowCount() == 10000, "the mapped list");
  for (int i = 0; i < 10000; i++)
    measure_check(mapped.data(mapped.index(i, 0), 0).toLongLong() == list.rows[i] * 2, "a row");
}

static void depth(Request request) {
  long length = request.size ? request.size : 10000;
  std::vector<Node> nodes(length + 1);
  for (long i = 0; i < length; i++)
    nodes[i + 1].setBinding([&from = nodes[i]] { return from.value() + 1; });
  nodes[0].setValue(7);
  measure_check(nodes[length].value() == 7 + length, "end of the chain");
  measure_report("depth", double(length));
}

int main(int argc, const char *const *argv) {
  request_compare(
      request_parse(argc, argv),
      {chain, fan_out, diamond, pairs, two_way, transformer, mapped_list, depth});
}
